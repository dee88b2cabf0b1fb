import { PreconditionFailure } from "fast-check";
import type { EventStep, World } from "../../sim/scenario.ts";

/**
 * Notices where `fc.pre()` turns a value away, at once or in what a body has started: an execution knows only that
 * something was thrown.
 */
export class Preconditions {
  #failed = false;

  get failed(): boolean {
    return this.#failed;
  }

  /** Calls `act` and lets pass whatever it throws. */
  noting<T>(act: () => T): T {
    try {
      const result = act();
      if (result instanceof Promise) result.then(undefined, (reason: unknown) => this.#note(reason));
      return result;
    } catch (error) {
      this.#note(error);
      throw error;
    }
  }

  /** The same world, which notices them in all that it is handed. */
  world(world: World): World {
    const instead: Partial<World> = {
      actor: (name, body, options) => world.actor(name, () => this.noting(body), options),
      events: (source, steps) =>
        world.events(
          source,
          steps.map((step) => this.#step(step)),
        ),
      io: (label, produce, options) => world.io(label, () => this.noting(produce), options),
    };
    return new Proxy(world, {
      get(target, key) {
        const member: unknown = Reflect.get(Object.hasOwn(instead, key) ? instead : target, key);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
  }

  #step([label, act, options]: EventStep): EventStep {
    const noted = (): unknown => this.noting(act);
    return options === undefined ? [label, noted] : [label, noted, options];
  }

  #note(reason: unknown): void {
    if (PreconditionFailure.isFailure(reason)) this.#failed = true;
  }
}
