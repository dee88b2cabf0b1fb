/**
 * Runs a program inside an engine, with its deliveries in the order in which Node's loop has them: as it stands on the
 * native engine, lowered on the microtask engine.
 */
import { fileURLToPath } from "node:url";
import { planOf } from "../bounds.ts";
import type { Engines } from "../engine-choice.ts";
import type { PossibleDelivery } from "../execution.ts";
import { runtime } from "../microtask/runtime.ts";
import { withRunner } from "../runner.ts";
import { scenario } from "../scenario.ts";
import { FirstComeChooser } from "../strategy.ts";
import { asItStands, type Compiled, lowered } from "./compiled.ts";
import type { Group, GroupDelivery, Program } from "./program.ts";
import { type Outcome, Surroundings } from "./surroundings.ts";

/** A program, and how long the unit of its timers is. */
export type Timed = { readonly program: Program; readonly unitMs: number };

// As many as a program can have: which timers may fire is asked of the engine, what fires is decided below.
const options = { overtakes: 1_000_000, stepLimit: 100_000, seed: "fuzz" };

const ownFile = fileURLToPath(import.meta.url);

/** Runs programs one after the other, as many in one stretch as the engine takes. */
export async function runInEngine(engine: Engines, programs: readonly Timed[]): Promise<readonly Outcome[]> {
  const compiled = ({ program }: Timed): Compiled =>
    engine === "native" ? asItStands(program) : lowered(program, ownFile);
  // The scenario is made in this file, and asks what this one is.
  if (engine === "microtask") runtime.at(ownFile);
  let surroundings: Surroundings | null = null;
  let next: Timed | undefined;
  const subject = scenario("a random program", (world) => {
    if (next === undefined) throw new Error("There is no program to run");
    const own: Surroundings = new Surroundings(
      next.unitMs,
      (label) => world.io(label, () => label),
      (line) => {
        // Noted, or a timer that does nothing but log would count as idle. What a failure leaves behind may log later.
        if (surroundings === own) world.note(line);
      },
    );
    surroundings = own;
    const { body, steps } = own.start(compiled(next));
    world.events(
      "outside",
      steps.map((step, index) => [`step ${index}`, () => step()] as const),
    );
    world.events("loop", [[endOfGroups, () => undefined]]);
    body();
  });
  return withRunner(subject, planOf(subject, { ...options, engine }).settings, async (runner) => {
    const outcomes: Outcome[] = [];
    const begin = (): LoopChooser | null => {
      next = programs[outcomes.length];
      surroundings = null;
      return next === undefined ? null : new LoopChooser(next.program.groups);
    };
    await runner.batch({
      index: 0,
      next: begin,
      again: () => begin() ?? new LoopChooser([]),
      ended: () => {
        const { violation } = runner.engine;
        const isError = violation === null || violation.kind === "error";
        const failure = isError ? (violation?.detail ?? null) : `${violation.kind}: ${violation.detail}`;
        outcomes.push({ log: [...(surroundings?.log ?? [])], failure });
        surroundings = null;
      },
    });
    return outcomes;
  });
}

/** A step that comes last. While it is possible another delivery is never the only one, so the chooser is asked each time. */
const endOfGroups = "end";

/** Chooses what Node's loop would do: `on-node.ts` says when deliveries come, Node when immediates and timers do. */
class LoopChooser extends FirstComeChooser {
  readonly #groups: readonly Group[];
  #group = 0;
  #at = 0;
  #passed = 0;
  /** Names of the I/O that was pending when the group began. */
  #groupIo: string[] | null = null;

  constructor(groups: readonly Group[]) {
    super(false);
    this.#groups = groups;
  }

  override restart(): void {
    this.#group = 0;
    this.#at = 0;
    this.#passed = 0;
    this.#groupIo = null;
  }

  override delivery(possible: readonly PossibleDelivery[] = [], count = 0): number {
    const now = possible.slice(0, count);
    for (;;) {
      const group = this.#groups[this.#group];
      if (group === undefined) return this.#afterGroups(now);
      const immediate = now.findIndex(({ kind }) => kind === "immediate");
      if (this.#at === 0 && this.#passed < group.phases && immediate >= 0) {
        // Asked only when a check phase begins: inside of one nothing else is possible.
        this.#passed++;
        return immediate;
      }
      this.#groupIo ??= now.flatMap(({ kind, name }) => (kind === "io" ? [name] : []));
      const delivery = group.deliveries[this.#at++];
      const found = delivery === undefined ? -1 : this.#find(delivery, now);
      if (delivery === undefined) this.#nextGroup();
      else if (found >= 0) return found;
    }
  }

  #find(delivery: GroupDelivery, now: readonly PossibleDelivery[]): number {
    if (delivery.kind === "step") return now.findIndex(({ kind, source }) => kind === "event" && source === "outside");
    const names = this.#groupIo ?? [];
    const [name] = names.splice(delivery.pick % Math.max(names.length, 1), 1);
    if (name === undefined) return -1;
    const found = now.findIndex((each) => each.name === name);
    if (found < 0) throw new Error(`The engine does not think that ${name} is possible`);
    return found;
  }

  #nextGroup(): void {
    this.#group++;
    this.#at = 0;
    this.#passed = 0;
    this.#groupIo = null;
  }

  /** The loop turns until nothing is left; I/O completes one by one, timers come last. */
  #afterGroups(now: readonly PossibleDelivery[]): number {
    for (const sought of ["event", "immediate", "io", "timer"]) {
      const found = now.findIndex(({ kind }) => kind === sought);
      if (found >= 0) return found;
    }
    return 0;
  }
}
