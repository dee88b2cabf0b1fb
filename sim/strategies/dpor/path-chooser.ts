/** Follows the path, and behind its end takes the first-come choice among those that are awake. */
import type { Touching } from "../../dependence.ts";
import type { Chooser, PossibleDelivery } from "../../execution.ts";
import type { Answer, Path } from "./path.ts";

export class PathChooser implements Chooser {
  readonly measures = false;
  readonly #path: Path;
  /** All answers of this execution, and how many of them there were before each delivery was chosen. */
  readonly given: number[] = [];
  readonly givenBefore: number[] = [];
  /** The first delivery that was asleep; what follows repeats another execution. */
  blockedFrom = Number.POSITIVE_INFINITY;
  /** The path could not be followed: the scenario is not deterministic. */
  lost = false;
  /** Index of the delivery under way; -1 while the scenario's body runs. */
  #at = -1;
  /** Chosen, and not yet delivered. */
  #chosen = false;
  #running: PossibleDelivery | null = null;
  #answered = 0;

  constructor(path: Path) {
    this.#path = path;
  }

  restart(): void {
    this.given.length = 0;
    this.givenBefore.length = 0;
    this.blockedFrom = Number.POSITIVE_INFINITY;
    this.#at = -1;
    this.#chosen = false;
    this.#running = null;
    this.#answered = 0;
  }

  delivery(possible: readonly PossibleDelivery[], count: number): number {
    const index = this.#enter(possible, count);
    this.given.push(index);
    return index;
  }

  fault(delivery: PossibleDelivery, kinds: readonly string[]): number {
    if (!this.#chosen) this.#enter([delivery], 1);
    return this.#answer(kinds.length);
  }

  data(_label: string, count: number): number {
    return this.#answer(count);
  }

  delivered(delivery: PossibleDelivery): void {
    if (!this.#chosen) this.#enter([delivery], 1);
    this.#chosen = false;
    this.#running = delivery;
  }

  companion(): number {
    return 0;
  }

  ticks(): number {
    return 1;
  }

  drained(): void {}

  /** Ends the last delivery, and chooses the next one. */
  #enter(possible: readonly PossibleDelivery[], count: number): number {
    this.end();
    const { nodes } = this.#path;
    this.#at++;
    this.#answered = 0;
    this.#chosen = true;
    this.givenBefore.push(this.given.length);
    if (this.blockedFrom < Number.POSITIVE_INFINITY) return 0;
    const known = nodes[this.#at];
    if (known !== undefined) return this.#follow(known.name, possible, count);
    const asleep = this.#path.sleepers(() => touchingOf(this.#running));
    const names: string[] = [];
    let index = -1;
    for (let at = 0; at < count; at++) {
      const name = possible[at]?.name ?? "";
      names.push(name);
      if (index < 0 && !asleep.has(name)) index = at;
    }
    const name = names[index];
    if (name === undefined) {
      this.blockedFrom = this.#at;
      return 0;
    }
    this.#path.push(names, asleep, name);
    return index;
  }

  #follow(name: string, possible: readonly PossibleDelivery[], count: number): number {
    for (let at = 0; at < count; at++) if (possible[at]?.name === name) return at;
    this.lost = true;
    return 0;
  }

  /** The delivery under way is over: with these answers it may have been asleep. */
  end(): void {
    const node = this.#path.nodes[this.#at];
    if (node === undefined || this.blockedFrom < Number.POSITIVE_INFINITY) return;
    if (node.asleep.hasVariant(node.name, node.answered())) this.blockedFrom = this.#at;
  }

  #answer(count: number): number {
    const option = this.#option(count);
    this.given.push(option);
    return option;
  }

  #option(count: number): number {
    if (this.blockedFrom < Number.POSITIVE_INFINITY) return 0;
    const node = this.#path.nodes[this.#at];
    const answers: Answer[] | undefined = this.#at < 0 ? this.#path.opening : node?.answers;
    if (answers === undefined) return 0;
    const known = answers[this.#answered++];
    if (known !== undefined) {
      if (known.choice >= count) this.lost = true;
      return known.choice < count ? known.choice : 0;
    }
    let choice = 0;
    while (choice < count - 1 && node?.repeats(choice) === true) choice++;
    answers.push({ choice, count });
    return choice;
  }
}

function touchingOf(delivery: PossibleDelivery | null): Touching {
  if (delivery === null) return { source: "", touches: null, observed: null };
  return { source: delivery.source, touches: delivery.touches, observed: delivery.observed?.touches ?? null };
}
