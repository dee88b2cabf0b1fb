/** The listeners of one type on one event target: a linked list, so that it may change while an event is under way. */

type Callback = (this: unknown, event: unknown) => unknown;

export class Listeners {
  readonly type: string;
  /** When it comes to 0 by a removal the list is dropped, as in Node, whatever it still holds. */
  size = 0;
  next: Listener | undefined = undefined;

  constructor(type: string) {
    this.type = type;
  }

  /** Appends, unless the same listener is there for the same phase. */
  add(listener: object, once: boolean, capture: boolean, resists: boolean, passive = false): void {
    for (let at = this.next; at !== undefined; at = at.next) {
      if (at.listener === listener && at.capture === capture) return;
    }
    this.append(listener, once, capture, resists, passive);
  }

  append(listener: object, once: boolean, capture: boolean, resists: boolean, passive = false): void {
    let last: Listeners | Listener = this;
    while (last.next !== undefined) last = last.next;
    last.next = new Listener(last, listener, once, capture, resists, passive);
    this.size++;
  }

  /** Tells whether it was there. */
  remove(listener: object, capture: boolean): boolean {
    for (let at = this.next; at !== undefined; at = at.next) {
      if (at.listener !== listener || at.capture !== capture) continue;
      at.unlink();
      this.size--;
      return true;
    }
    return false;
  }
}

class Listener {
  /** As it was given; getEventListeners() of node:events reads it. */
  readonly listener: object;
  readonly callback: Callback;
  readonly once: boolean;
  readonly capture: boolean;
  /** Called even after stopImmediatePropagation(). */
  readonly resists: boolean;
  /** May not prevent the default, where this Node looks at that. */
  readonly passive: boolean;
  removed = false;
  previous: Listeners | Listener;
  next: Listener | undefined = undefined;

  constructor(
    previous: Listeners | Listener,
    listener: object,
    once: boolean,
    capture: boolean,
    resists: boolean,
    passive: boolean,
  ) {
    this.previous = previous;
    this.listener = listener;
    this.callback = isCallback(listener) ? listener : handler(listener);
    this.once = once;
    this.capture = capture;
    this.resists = resists;
    this.passive = passive;
  }

  unlink(): void {
    this.previous.next = this.next;
    if (this.next !== undefined) this.next.previous = this.previous;
    this.removed = true;
  }
}

/** As Node calls an object: its handleEvent is looked up at every event, and an error in it comes as a rejection. */
function handler(listener: { readonly handleEvent?: unknown }): Callback {
  return async (event) => {
    const { handleEvent } = listener;
    // Applied by Reflect.apply, which throws what it throws in Node when this is no function.
    if (handleEvent) await Reflect.apply(Reflect.apply, undefined, [handleEvent, listener, [event]]);
  };
}

function isCallback(value: unknown): value is Callback {
  return typeof value === "function";
}
