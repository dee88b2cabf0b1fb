/**
 * Which engine runs a scenario. The native one runs any code; the microtask engine runs code that was lowered, and it alone
 * can reorder jobs, as level free does.
 */
import { runtime } from "./microtask/runtime.ts";
import type { EngineName, Level } from "./result.ts";
import { type Scenario, scenarioParts } from "./scenario.ts";
import { callersFiles } from "./stack.ts";

export type Engines = Exclude<EngineName, "auto">;

export const howToLower = "load its file through microloom/vite or node --import microloom/loader";

/** The engine for what was asked, which is never level free on the native one; null where only a lowered scenario would do, and this one is not. */
export function engineFor(scenario: Scenario, asked: EngineName, level: Level): Engines | null {
  const wanted = level === "free" && asked === "auto" ? "microtask" : asked;
  if (wanted === "native") return "native";
  if (isLowered(scenario)) return "microtask";
  return wanted === "auto" ? "native" : null;
}

/** True when the file that made the scenario was lowered. */
function isLowered(scenario: Scenario): boolean {
  const { made } = scenarioParts(scenario);
  return callersFiles(made.stack ?? "").some((file) => runtime.isLowered(file));
}
