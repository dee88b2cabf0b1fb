import { inspect } from "node:util";
import { eventDispatching, eventTarget, eventType, NodeEvent } from "./event-internals.ts";
import { standIn } from "./stand-in.ts";

/**
 * The event of an aborted signal, trusted as Node's is. It carries Node's marks and inherits from Node's Event, but was
 * not made by it: every trusted event of Node costs a weak reference, and tells real time.
 */
export class AbortEvent {
  [mark: symbol]: unknown;
  readonly timeStamp: number = performance.now();
  cancelBubble = false;

  constructor() {
    this[eventType] = "abort";
    this[eventTarget] = null;
    this[eventDispatching] = false;
  }

  get isTrusted(): boolean {
    return true;
  }

  get bubbles(): boolean {
    return false;
  }

  get cancelable(): boolean {
    return false;
  }

  get composed(): boolean {
    return false;
  }

  get defaultPrevented(): boolean {
    return false;
  }

  get returnValue(): boolean {
    return true;
  }

  preventDefault(): void {}

  stopPropagation(): void {
    this.cancelBubble = true;
  }

  [inspect.custom](): string {
    return `Event ${inspect({ type: "abort", defaultPrevented: false, cancelable: false, timeStamp: this.timeStamp })}`;
  }
}

standIn(AbortEvent, NodeEvent);
Object.defineProperty(AbortEvent.prototype, "constructor", { value: NodeEvent });
