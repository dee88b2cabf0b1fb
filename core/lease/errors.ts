/**
 * How the host tells the caller that a call will not run. Messages are short, for logs; `refusalText` makes the text for
 * a model out of `effect`, in its language; it has an entry of its own, so only who wants the texts has to load them.
 */
import type { ExpiredEffect, LeaseInput, LeaseRefusal, RefusedEffect } from "./state.ts";

/** The call was aborted, or its owner closed, before it ran. */
export class AbortError extends Error {
  override readonly name = "AbortError";
  readonly call: string;

  constructor(call: string, cause?: unknown) {
    super(`Call "${call}" was cancelled before it ran`, { cause });
    this.call = call;
  }
}

/** The call waited longer than the policy allows. It has not run, so it is safe to ask again under a new id. */
export class LeaseTimeoutError extends Error {
  override readonly name = "LeaseTimeoutError";
  readonly retryable = true;
  readonly effect: ExpiredEffect;
  readonly path: string;

  constructor(effect: ExpiredEffect) {
    super(`Call "${effect.call}" waited too long for "${effect.path}"; retry it`);
    this.effect = effect;
    this.path = effect.path;
  }
}

/** The call or child was turned away. `path` is what was asked for, `holder` who has it, where there is one. */
export class LeaseRefusedError extends Error {
  override readonly name = "LeaseRefusedError";
  readonly effect: RefusedEffect;
  readonly reason: LeaseRefusal;
  readonly path: string | undefined;
  readonly holder: string | undefined;

  constructor(effect: RefusedEffect) {
    const { input, reason, path = requestedPath(input), holder } = effect;
    super(`Lease refused: ${JSON.stringify({ reason, path, holder })}`);
    this.effect = effect;
    this.reason = reason;
    this.path = path;
    this.holder = holder;
  }
}

/** A path outside the workspace has no normalised form; the error names what was asked for. */
function requestedPath(input: LeaseInput): string | undefined {
  return input.type === "request" && input.footprint.kind === "file" ? input.footprint.path : undefined;
}
