import type { World } from "../../sim/scenario.ts";
import type { Shape } from "./family.ts";
import { FactoryError, type Fixture } from "./fixture.ts";

/**
 * Brings the subject into an execution. Where there is none, or one of a wrong shape, it returns null and the execution
 * says `kit/factory-threw` or `kit/bad-shape`.
 */
export function enter<Ports>(
  world: World,
  fixture: Fixture<Ports>,
  ports: Ports,
  isolated: unknown,
  shapeOf: (subject: unknown) => Shape,
): { readonly subject: unknown } | null {
  try {
    const made = fixture.make(ports, isolated);
    if (made === null) return null;
    const { wrong } = shapeOf(made.subject);
    if (wrong.length === 0) return made;
    world.atQuiescence("kit/bad-shape", () => wrong.join("; "));
  } catch (error) {
    if (!(error instanceof FactoryError)) throw error;
    world.atQuiescence(`kit/${error.kind}`, () => error.message);
  }
  return null;
}
