/**
 * Finds the lines that a drain without end goes through. While a suspected execution is counted, promises, nextTicks,
 * microtasks and clock reads are looked at once there were many, and their stacks are kept: always the same ones, because
 * a count says when. A loop that does none of these cannot be seen from inside.
 */
import { promiseHooks } from "node:v8";
import type { SourceLocation } from "../result.ts";
import { portableStack, userFrames } from "../stack.ts";
import { type Stack, stackBelow } from "./promise-log.ts";

/** Jobs or clock reads since the last delivery before anything is looked at. */
const lookedFrom = 10_000;
const stacksKept = 16;

export class EndlessLines {
  readonly #stacks: Stack[] = [];
  #stopHook: (() => void) | null = null;

  /** Starts to look; `work` tells how much was done since the last delivery. */
  attach(work: () => number): void {
    this.#stacks.length = 0;
    const stop: unknown = promiseHooks.onInit(() => this.look(work()));
    this.#stopHook ??= typeof stop === "function" ? () => stop() : null;
  }

  detach(): void {
    this.#stopHook?.();
    this.#stopHook = null;
  }

  /** Something runs; does nothing once enough was seen, so that the watchdog does not come in here. */
  look(work: number): void {
    if (this.#stopHook === null || work < lookedFrom) return;
    this.#stacks.push(stackBelow());
    if (this.#stacks.length >= stacksKept) this.detach();
  }

  /** The stack that was seen most often, own code only, and its innermost line; null where there is none. */
  told(): { readonly stack: string; readonly at: SourceLocation | null } | null {
    const counts = new Map<string, number>();
    let most: { readonly stack: string; readonly at: SourceLocation | null } | null = null;
    for (const { stack = "" } of this.#stacks) {
      const told = portableStack(stack);
      if (told === null) continue;
      const count = (counts.get(told) ?? 0) + 1;
      counts.set(told, count);
      if (most === null || count > (counts.get(most.stack) ?? 0))
        most = { stack: told, at: userFrames(stack)[0]?.at ?? null };
    }
    return most;
  }
}
