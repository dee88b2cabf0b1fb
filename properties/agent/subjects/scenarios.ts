/**
 * The drivers that got it wrong, each with the smallest script that tells its story, and one that got it right. The two that
 * the tour tells of stand in `../scenarios.ts`.
 */
import type { Scenario } from "../../../sim/scenario.ts";
import { type AgentScenarioOptions, agentScenario } from "../scenarios.ts";
import { cancel, lateWake, type Script, send } from "../script.ts";
import { ByTheBook } from "./by-the-book.ts";
import { FirstCauseDecidesDispose } from "./first-cause-decides-dispose.ts";
import { FreshControllerAtBoundary } from "./fresh-controller-at-boundary.ts";
import { GuardsIdleWake } from "./guards-idle-wake.ts";
import { IdlesOnCancel } from "./idles-on-cancel.ts";
import { KeepsLatchOnClear } from "./keeps-latch-on-clear.ts";
import { LatchesEveryWake } from "./latches-every-wake.ts";
import { LatchesWhenDisposed } from "./latches-when-disposed.ts";
import { ParksLateWakesMaintenance } from "./parks-late-wakes-maintenance.ts";
import { ReplaysByPromise } from "./replays-by-promise.ts";

const stop = cancel("stop", { keepInbox: true });
const clear = cancel("stop", { keepInbox: false });

/** What the user does in each scenario where nobody says otherwise; whoever is right has to hold in all of them. */
export const stories = {
  "parks-late-wakes-maintenance": [{ type: "maintain", activity: "compact" }, stop, send("a")],
  "idles-on-cancel": lateWake,
  "latches-every-wake": [send("a"), send("b"), stop],
  "replays-by-promise": lateWake,
  "guards-idle-wake": [send("a"), { type: "retract", id: "a" }],
  "keeps-latch-on-clear": [...lateWake, clear],
  "latches-when-disposed": [send("a"), { type: "dispose" }, send("b")],
  "first-cause-decides-dispose": [send("a"), stop, { type: "dispose" }, send("b")],
  "fresh-controller-at-boundary": [send("a"), send("b"), stop],
  "by-the-book": lateWake,
} as const satisfies Readonly<Record<string, Script>>;

export const parksLateWakesMaintenance = subject(
  "parks-late-wakes-maintenance",
  (ports) => new ParksLateWakesMaintenance(ports),
);
export const idlesOnCancel = subject("idles-on-cancel", (ports) => new IdlesOnCancel(ports));
export const latchesEveryWake = subject("latches-every-wake", (ports) => new LatchesEveryWake(ports));
export const replaysByPromise = subject("replays-by-promise", (ports) => new ReplaysByPromise(ports));
export const guardsIdleWake = subject("guards-idle-wake", (ports) => new GuardsIdleWake(ports));
export const keepsLatchOnClear = subject("keeps-latch-on-clear", (ports) => new KeepsLatchOnClear(ports));
export const latchesWhenDisposed = subject("latches-when-disposed", (ports) => new LatchesWhenDisposed(ports));
export const firstCauseDecidesDispose = subject(
  "first-cause-decides-dispose",
  (ports) => new FirstCauseDecidesDispose(ports),
);

// Its window is the write of a turn/end, so that takes a delivery here.
export const freshControllerAtBoundary = subject(
  "fresh-controller-at-boundary",
  (ports) => new FreshControllerAtBoundary(ports),
  { slow: ["turn-records"] },
);

/** As slow as the core is made in its own scenario: it has to hold in the windows around its records, too. */
export const byTheBook = subject("by-the-book", (ports) => new ByTheBook(ports), { slow: ["turn-records"] });

/** In the order in which the contract lists them; the right one last. */
export const subjects: readonly Scenario[] = [
  parksLateWakesMaintenance,
  idlesOnCancel,
  latchesEveryWake,
  replaysByPromise,
  guardsIdleWake,
  keepsLatchOnClear,
  latchesWhenDisposed,
  firstCauseDecidesDispose,
  freshControllerAtBoundary,
  byTheBook,
];

function subject(
  name: keyof typeof stories,
  make: AgentScenarioOptions["make"],
  options: Pick<AgentScenarioOptions, "slow"> = {},
): Scenario {
  return agentScenario({ name: `microloom:agent/${name}`, make, script: stories[name], ...options });
}
