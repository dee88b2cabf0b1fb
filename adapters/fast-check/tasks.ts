import type { PossibleDelivery } from "../../sim/execution.ts";

/** What is known of a waiting task. */
export type WaitingTask = { readonly taskId: number; readonly label: string };

/**
 * Tasks as deliveries, for strategies that ask for sources and families. A label may name its source (`agent:model`);
 * otherwise a task belongs to the one after whose release it was scheduled, and one from before any release is the first
 * of a source of its own: so each flow of the code under test is a source, as in a scenario.
 */
export class Tasks {
  readonly #known = new Map<number, PossibleDelivery>();
  readonly #families = new Map<string, PossibleDelivery["family"]>();

  /** `after` is the task that was released last. */
  delivery({ taskId, label }: WaitingTask, after: PossibleDelivery | null): PossibleDelivery {
    const known = this.#known.get(taskId);
    if (known !== undefined) return known;
    const source = sourceOf(label) ?? after?.source ?? `task ${taskId}`;
    const made: PossibleDelivery = {
      name: String(taskId),
      source,
      kind: "io",
      family: this.#family(source, label),
      touches: null,
      observed: null,
    };
    this.#known.set(taskId, made);
    return made;
  }

  #family(source: string, label: string): PossibleDelivery["family"] {
    const key = JSON.stringify([source, label]);
    const family = this.#families.get(key) ?? { id: this.#families.size, label };
    this.#families.set(key, family);
    return family;
  }
}

/** Arguments of a function may have colons, too. */
function sourceOf(label: string): string | null {
  return /^([^:#()]*[^:#()\s]):/.exec(label)?.[1] ?? null;
}
