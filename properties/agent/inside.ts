/**
 * Commands that wait to be given from inside a call of a port, as an application's observer gives them. An agent may take
 * such a command at once or after what it is doing; `readings.ts` says what that means for its promises.
 */
import { isThenable } from "../../sim/native/thenable.ts";
import { touch } from "../../sim/owned.ts";
import type { Recording } from "./history.ts";
import type { InsidePlace } from "./script.ts";

type Armed = { readonly place: InsidePlace; readonly give: () => unknown };

export class InsideCommands {
  readonly #recording: Recording;
  #armed: readonly Armed[] = [];

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  arm(place: InsidePlace, give: () => unknown): void {
    // What the next port call does depends on it, so the two deliveries depend on each other.
    touch(this.#recording);
    this.#armed = [...this.#armed, { place, give }];
  }

  /** Gives all that are armed at the place, in the order of arming. What the agent refuses there is no problem. */
  reach(place: InsidePlace): void {
    const due = this.#armed.filter((armed) => armed.place === place);
    if (due.length === 0) return;
    // Before the first is given: it may have the agent call the same port again.
    this.#armed = this.#armed.filter((armed) => armed.place !== place);
    for (const { give } of due) this.#recording.givesInside(() => refusable(give));
  }
}

function refusable(give: () => unknown): void {
  try {
    const answer = give();
    if (isThenable(answer)) Promise.resolve(answer).catch(() => {});
  } catch {
    // Written down by the recorder: the command was not accepted.
  }
}
