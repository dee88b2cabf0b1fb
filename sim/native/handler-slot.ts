/** What onabort is first set to takes a place among the listeners; the place stays, whatever onabort is set to later. */
export class HandlerSlot {
  handler: unknown;
  readonly listener: (this: unknown, event: unknown) => unknown;

  constructor(handler: unknown) {
    this.handler = handler;
    const slot = this;
    this.listener = function (event) {
      return typeof slot.handler === "function" ? Reflect.apply(slot.handler, this, [event]) : undefined;
    };
  }
}
