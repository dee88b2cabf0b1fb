import type { IoOptions, World } from "../../sim/scenario.ts";

/** The same world to whoever builds in it, but what is declared there is not passed on: every delivery touches everything. */
export function undeclared(world: World): World {
  return {
    actor: (name, body) => world.actor(name, body),
    events: (source, steps) =>
      world.events(
        source,
        steps.map(([label, act, options]) => [label, act, { mayReject: options?.mayReject ?? false }]),
      ),
    delay: (label, options) => world.delay(label, options?.key === undefined ? {} : { key: options.key }),
    io: (label, produce, options) => world.io(label, produce, options === undefined ? {} : withoutTouches(options)),
    choose: (label, options) => world.choose(label, options),
    settles: (name, promise) => world.settles(name, promise),
    always: (name, holds) => world.always(name, holds),
    sometimes: (name, holds) => world.sometimes(name, holds),
    atQuiescence: (name, holds) => world.atQuiescence(name, holds),
    note: (event, data) => world.note(event, data),
    random: () => world.random(),
    get nowMs(): number {
      return world.nowMs;
    },
  };
}

function withoutTouches({ touches: _, ...options }: IoOptions): IoOptions {
  return options;
}
