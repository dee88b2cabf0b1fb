/** What each subject is known to break, as the contract's table has it. */
import type { Level } from "../../../sim/result.ts";
import type { AgentPorts, AgentUnderTest } from "../ports.ts";
import { FirstCauseDecidesDispose } from "./first-cause-decides-dispose.ts";
import { FreshControllerAtBoundary } from "./fresh-controller-at-boundary.ts";
import { GuardsIdleWake } from "./guards-idle-wake.ts";
import { IdlesOnCancel } from "./idles-on-cancel.ts";
import { KeepsLatchOnClear } from "./keeps-latch-on-clear.ts";
import { LatchesEveryWake } from "./latches-every-wake.ts";
import { LatchesWhenDisposed } from "./latches-when-disposed.ts";
import { LooksThenLeaves } from "./looks-then-leaves.ts";
import { ParksLateWakes } from "./parks-late-wakes.ts";
import { ParksLateWakesMaintenance } from "./parks-late-wakes-maintenance.ts";
import { ReplaysByPromise } from "./replays-by-promise.ts";

export type AgentSubject = {
  readonly name: string;
  readonly make: (ports: AgentPorts) => AgentUnderTest;
  /** What is reported first; then what inevitably breaks with it. */
  readonly breaks: readonly [first: string, ...also: string[]];
  /** The strongest at which it does. */
  readonly level: Level;
};

export const agentSubjects: readonly AgentSubject[] = [
  row("parks-late-wakes", ["no-dropped-wake"], (ports) => new ParksLateWakes(ports)),
  row("parks-late-wakes-maintenance", ["no-dropped-wake"], (ports) => new ParksLateWakesMaintenance(ports)),
  row(
    "idles-on-cancel",
    ["single-writer", "turn-end-before-turn-start", "cancel-bites"],
    (ports) => new IdlesOnCancel(ports),
  ),
  row("latches-every-wake", ["parked-stays-parked"], (ports) => new LatchesEveryWake(ports)),
  row("replays-by-promise", ["idle-is-true"], (ports) => new ReplaysByPromise(ports)),
  row("guards-idle-wake", ["idle-wake-opens-turn"], (ports) => new GuardsIdleWake(ports)),
  row("keeps-latch-on-clear", ["cleared-stays-cleared", "no-empty-replay"], (ports) => new KeepsLatchOnClear(ports)),
  row("latches-when-disposed", ["dispose-fence"], (ports) => new LatchesWhenDisposed(ports)),
  row("first-cause-decides-dispose", ["dispose-fence"], (ports) => new FirstCauseDecidesDispose(ports)),
  row(
    "fresh-controller-at-boundary",
    ["parked-stays-parked", "cancel-bites"],
    (ports) => new FreshControllerAtBoundary(ports),
  ),
  row("looks-then-leaves", ["no-dropped-wake"], (ports) => new LooksThenLeaves(ports), "jitter"),
];

function row(
  name: string,
  [first, ...also]: readonly [string, ...string[]],
  make: AgentSubject["make"],
  level: Level = "spec",
): AgentSubject {
  return { name, make, breaks: [`agent/${first}`, ...also.map((other) => `agent/${other}`)], level };
}
