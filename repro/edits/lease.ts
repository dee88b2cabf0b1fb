/**
 * A lease table that looks, writes its intent down, and takes only then: two callers that look before either has taken
 * both hold the file. And what people do to such a class after a repro of it was kept.
 */
import { type Scenario, scenario } from "../../sim/scenario.ts";

export type LeaseEdit =
  | "none"
  | "an approval before the lease"
  | "an earlier note of the same label"
  | "a label renamed";

class LeaseTable {
  readonly #holders = new Set<string>();
  readonly #note: (caller: string) => Promise<unknown>;

  constructor(note: (caller: string) => Promise<unknown>) {
    this.#note = note;
  }

  get holders(): readonly string[] {
    return [...this.#holders];
  }

  async acquire(caller: string): Promise<boolean> {
    if (this.#holders.size > 0) return false;
    await this.#note(caller);
    this.#holders.add(caller);
    return true;
  }

  release(caller: string): void {
    this.#holders.delete(caller);
  }
}

export function leaseScenario(edit: LeaseEdit): Scenario {
  return scenario("two callers of one file", (world) => {
    const label = edit === "a label renamed" ? "journal" : "note";
    const note = (caller: string): Promise<unknown> => world.io(`${caller}:${label}`, () => undefined);
    const table = new LeaseTable(note);
    for (const caller of ["ann", "bob"]) {
      world.actor(caller, async () => {
        if (edit === "an earlier note of the same label") await note(caller);
        if (edit === "an approval before the lease") await world.io(`user:approve ${caller}`, () => true);
        if (!(await table.acquire(caller))) return;
        await world.io(`${caller}:write`, () => undefined);
        table.release(caller);
      });
    }
    world.always("one holder at a time", () => table.holders.length < 2 || table.holders.join(" and "));
  });
}
