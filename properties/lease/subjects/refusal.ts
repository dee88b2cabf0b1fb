/** How a subject says no: the errors of an application, with the contract's texts, so that a model can act on them. */

import type { Footprint, LeaseInput, LeaseRefusal } from "../../../core/lease/state.ts";
import { refusalText } from "../../../core/messages/index.ts";
import type { LeaseRequest, LeaseSpawn } from "../ports.ts";

export type InTheWay = { readonly path?: string; readonly holder?: string };

export class RefusedError extends Error {
  override readonly name = "RefusedError";
  readonly reason: LeaseRefusal;
  readonly path: string | undefined;
  readonly holder: string | undefined;

  constructor(asked: LeaseRequest | LeaseSpawn, reason: LeaseRefusal, inTheWay: InTheWay = {}) {
    super(refusalText({ type: "refused", input: inputOf(asked), reason, ...inTheWay }, "en"));
    this.reason = reason;
    this.path = inTheWay.path;
    this.holder = inTheWay.holder;
  }
}

export class ExpiredError extends Error {
  override readonly name = "ExpiredError";
  readonly retryable = true;
  readonly path: string;

  constructor(call: string, footprint: Footprint) {
    const path = footprint.kind === "file" ? footprint.path : ".";
    super(refusalText({ type: "expired", call, path, retryable: true }, "en"));
    this.path = path;
  }
}

export function cancelled(call: string): Error {
  return new DOMException(refusalText({ type: "cancelled", call }, "en"), "AbortError");
}

/** The texts are about inputs; what time it was is in none of them. */
function inputOf(asked: LeaseRequest | LeaseSpawn): LeaseInput {
  if ("child" in asked) return { type: "spawn", ...asked, atMs: 0 };
  const { call, owner, footprint, needsApproval = false, signal } = asked;
  return { type: "request", call, owner, footprint, needsApproval, aborted: signal.aborted, atMs: 0 };
}
