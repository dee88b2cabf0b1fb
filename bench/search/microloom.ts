/** Programs of the bench as scenarios. */
import { type Scenario, scenario, type World } from "../../sim/scenario.ts";
import type { Outside, Program, Step } from "./program.ts";
import { undeclared } from "./undeclared.ts";

export type Variant = {
  /** False: what deliveries touch is left open, so every delivery counts as touching everything. */
  readonly declared: boolean;
  /** False: nothing that goes wrong is reported, so that a search can come to the end of all schedules. */
  readonly reported: boolean;
  /** Gets a look at the state of each execution. */
  readonly onStart?: (look: () => unknown) => void;
};

export const usual: Variant = { declared: true, reported: true };

export function scenarioOf(program: Program, variant: Variant = usual): Scenario {
  return scenario(`bench: ${program.name}`, (world) => {
    const look = program.start(new WorldOutside(variant.declared ? world : undeclared(world), variant.reported));
    variant.onStart?.(look);
  });
}

class WorldOutside implements Outside {
  readonly #world: World;
  readonly #reported: boolean;
  #violation: string | null = null;

  constructor(world: World, reported: boolean) {
    this.#world = world;
    this.#reported = reported;
    if (reported) world.always("nothing has gone wrong", () => this.#violation ?? true);
  }

  actor(name: string, body: (step: Step) => Promise<void>): void {
    const step = this.port(name);
    const start = (): unknown => {
      const ended = body(step);
      if (this.#reported) return ended;
      // A flow that does not come to its end, or fails, is a violation, too.
      void ended.catch(() => undefined);
      return undefined;
    };
    this.#world.actor(name, start, { touches: {} });
  }

  port(name: string): Step {
    return (label, touches) => this.#world.io(`${name}:${label}`, nothing, { touches });
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  nowMs(): number {
    return performance.now();
  }

  violated(what: string): void {
    this.#violation ??= what;
  }

  atEnd(name: string, holds: () => boolean | string): void {
    if (this.#reported) this.#world.atQuiescence(name, holds);
  }
}

function nothing(): void {}
