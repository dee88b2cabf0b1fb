/** For the time of a batch, what nobody catches belongs to the execution and to no listener of the process. */
import type { EventEmitter } from "node:events";
import { hostProcess } from "../host-context.ts";
import type { RealmHost } from "./host.ts";

const emitter: EventEmitter = hostProcess;

type ProcessEvent = "unhandledRejection" | "uncaughtException";

export class ProcessErrors {
  readonly #host: RealmHost;
  readonly #onUnhandled = (reason: unknown, promise: unknown): void => this.#host.unhandled(reason, promise);
  readonly #onUncaught = (error: unknown): void => this.#host.uncaught(error);
  #found: { readonly event: ProcessEvent; readonly listeners: readonly unknown[] }[] = [];

  constructor(host: RealmHost) {
    this.#host = host;
  }

  enter(): void {
    this.#takeOver("unhandledRejection", this.#onUnhandled);
    this.#takeOver("uncaughtException", this.#onUncaught);
  }

  leave(): void {
    for (const { event, listeners } of this.#found) {
      emitter.removeAllListeners(event);
      // Reflect.apply, because rawListeners promises no more than a Function; a once-wrapper is put back as it was.
      for (const listener of listeners) Reflect.apply(emitter.on, emitter, [event, listener]);
    }
    this.#found = [];
  }

  #takeOver(event: ProcessEvent, listener: (reason: unknown, promise: unknown) => void): void {
    this.#found.push({ event, listeners: emitter.rawListeners(event) });
    emitter.removeAllListeners(event);
    emitter.on(event, listener);
  }
}
