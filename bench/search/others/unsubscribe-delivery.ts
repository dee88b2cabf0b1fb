/**
 * Defect: unsubscribing while an event is being delivered. The bus walks its live list of subscribers and steps back when
 * one before its place has left; it remembers that somebody left, not how many. After two, somebody misses the event.
 */
import { type Program, type Step, traffic } from "../program.ts";

const subscribers = ["toolbar", "sidebar", "editor", "index", "history"];
const events = ["open", "save", "close"];

export const unsubscribeDelivery: Program = {
  name: "unsubscribeDelivery",
  start(outside) {
    const bus = new Bus(outside.port("bus"));
    const leaver = (name: string): void => {
      outside.actor(name, async (step) => {
        await traffic(step, name, 2, "paint");
        await step("unsubscribe", { writes: ["bus"] });
        bus.unsubscribe(name);
      });
    };
    leaver("toolbar");
    outside.actor("document", async (step) => {
      for (const event of events) {
        await step(event, { writes: ["bus"] });
        await bus.publish(event);
      }
    });
    leaver("sidebar");
    outside.actor("network", (step) => traffic(step, "network", 6, "poll"));
    outside.atEnd("who stays hears everything", () => {
      const deaf = subscribers.slice(2).find((name) => bus.heardBy(name) !== events.join());
      return deaf === undefined || `${deaf} has heard ${bus.heardBy(deaf)}`;
    });
    return () => bus.look();
  },
};

class Bus {
  readonly #deliver: Step;
  readonly #subscribers = [...subscribers];
  readonly #heard = new Map<string, string[]>();
  /** Index of the subscriber that is being told; -1 between events. */
  #place = -1;
  #somebodyLeft = false;

  constructor(deliver: Step) {
    this.#deliver = deliver;
  }

  async publish(event: string): Promise<void> {
    for (this.#place = 0; this.#place < this.#subscribers.length; this.#place++) {
      const name = this.#subscribers[this.#place] ?? "";
      await this.#deliver(`${event} to ${name}`, { writes: ["bus"] });
      this.#heard.set(name, [...(this.#heard.get(name) ?? []), event]);
      if (this.#somebodyLeft) this.#place--;
      this.#somebodyLeft = false;
    }
    this.#place = -1;
  }

  unsubscribe(name: string): void {
    const left = this.#subscribers.indexOf(name);
    this.#subscribers.splice(left, 1);
    if (left <= this.#place) this.#somebodyLeft = true;
  }

  heardBy(name: string): string {
    return (this.#heard.get(name) ?? []).join();
  }

  look(): unknown {
    return [this.#place, this.#somebodyLeft, this.#subscribers, subscribers.map((name) => this.heardBy(name))];
  }
}
