/**
 * How the host tells the caller that a call will not run. Messages are short, for logs; `refusalText` makes the text for
 * a model out of `effect`, in its language; it has an entry of its own, so only who wants the texts has to load them.
 */
import { pathsOf } from "./footprint.ts";
import type { ExpiredEffect, LeaseRefusal, RefusedEffect } from "./state.ts";

/** The call was aborted, or its owner closed, before it ran. */
export class AbortError extends Error {
  override readonly name = "AbortError";
  declare readonly call: string;

  constructor(call: string, cause?: unknown) {
    super(`Call "${call}" was cancelled`, { cause });
    this.call = call;
  }
}

/** The call waited longer than the policy allows. It has not run, so it is safe to ask again under a new id. */
export class LeaseTimeoutError extends Error {
  override readonly name = "LeaseTimeoutError";
  declare readonly effect: ExpiredEffect;
  declare readonly call: string;
  declare readonly path: string;
  declare readonly retryable: true;

  constructor(effect: ExpiredEffect) {
    super(`Call "${effect.call}" waited too long for "${effect.path}"`);
    Object.assign(this, effect, { effect });
  }
}

/** The call or child was turned away. `path` is what was asked for, `holder` who has it, where there is one. */
export class LeaseRefusedError extends Error {
  override readonly name = "LeaseRefusedError";
  declare readonly effect: RefusedEffect;
  declare readonly reason: LeaseRefusal;
  declare readonly path: string | undefined;
  declare readonly holder: string | undefined;

  constructor(effect: RefusedEffect) {
    // A path outside the workspace has no normalised form; the error names what was asked for.
    const { input, reason, path = input.type === "request" ? pathsOf(input)[0] : undefined, holder } = effect;
    const told = { reason, path, holder };
    super(`Lease refused: ${JSON.stringify(told)}`);
    Object.assign(this, told, { effect });
  }
}
