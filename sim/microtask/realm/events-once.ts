/** events.once() of node:events: an async function of Node's own, whose promises are ours here. */
import { abortError } from "../../native/abort-error.ts";
import { resistsStop } from "../../native/event-internals.ts";
import { type Bag, isCallable } from "../shapes.ts";
import { checkedSignal, type Listener, listen, unlisten } from "./listening.ts";

const onceFlags = { once: true, [resistsStop]: true };

/** No async function, because the promise of one is native; resolved with another promise, it takes as long. */
export function once(emitter: Bag, event: unknown, options?: unknown): Promise<unknown> {
  return new Promise((settle) => {
    const signal = checkedSignal(options);
    const heard = new Promise((resolve, reject) => {
      const unlistenToSignal = (): void => {
        if (signal !== null) unlisten(signal, "abort", onAbort);
      };
      const onEvent: Listener = (...args) => {
        if (isCallable(emitter.removeListener)) unlisten(emitter, "error", onError);
        unlistenToSignal();
        resolve(args);
      };
      const onError: Listener = (error) => {
        unlisten(emitter, event, onEvent);
        unlistenToSignal();
        reject(error);
      };
      const onAbort: Listener = () => {
        unlisten(emitter, event, onEvent);
        unlisten(emitter, "error", onError);
        reject(abortError(signal ?? undefined));
      };
      listen(emitter, event, onEvent, onceFlags);
      if (event !== "error" && isCallable(emitter.once)) emitter.once("error", onError);
      if (signal !== null) listen(signal, "abort", onAbort, onceFlags);
    });
    settle(heard);
  });
}
