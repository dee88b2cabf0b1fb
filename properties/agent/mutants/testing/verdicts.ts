/**
 * Who refutes which mutant: one column for each suite that judges the list. A suite that does not see a mutant says why.
 * Whatever a suite finds otherwise makes its test fail, so this is what is true today.
 */

/** What a suite does not see, and why. */
export type Unseen = { readonly because: string };

export type Verdicts = {
  /** The model: the invariant that is broken first, and after how many inputs. */
  readonly model: readonly [invariant: string, inputs: number] | Unseen;
  /** The second reading, on random lives: the first input that it answers otherwise. */
  readonly reading: string | Unseen;
  /** The core's own invariants, on the same lives. */
  readonly core: string | Unseen;
  /** The invariants that serve every agent, on the host under the simulator. */
  readonly host: string | Unseen;
  /** What the repro violates that the model's counterexample becomes. */
  readonly repro: string | Unseen;
};

const unseen = (because: string): Unseen => ({ because });
const wakes = "agent/no-dropped-wake";
const replays = "agent/no-empty-replay, agent/parked-stays-parked, agent/cleared-stays-cleared";
const rebuilds = "agent/log-rebuilds-inbox";
const lost = "agent/nothing-lost-on-fault";
const survives = unseen("it survives: nothing that was promised is broken");
const noCounterexample = unseen("there is no counterexample");
const guarded = unseen("the host asks no port once it was stopped, whatever the reducer says");
const oneAnswer = unseen("the host reports each answer once, and no other");
const ownIds = unseen("a script gives each message an id of its own");
const silent = unseen("the host does nothing about this effect");
const logOnly = unseen("only the log is wrong, and nobody outside reads it back");
const forgotten = unseen("at rest the log says the same: it forgets a batch with its turn");
const nobodyAsks = unseen("no core invariant speaks of it");
const plainAnswers = unseen("the outside of the scripts enters what was claimed");

export const verdicts: Readonly<Record<string, Verdicts>> = {
  "parks late wakes": { model: [wakes, 4], reading: "send", core: wakes, host: wakes, repro: wakes },
  "parks wakes of maintenance": {
    model: ["agent/maintenance-exclusive", 3],
    reading: "send",
    core: wakes,
    host: wakes,
    repro: wakes,
  },
  "parks wakes behind a failure": { model: [wakes, 5], reading: "send", core: wakes, host: wakes, repro: wakes },
  "latches every wake": {
    model: ["agent/no-empty-replay", 3],
    reading: "send",
    core: replays,
    host: "agent/no-empty-replay",
    repro: "agent/no-empty-replay",
  },
  "latches when disposed": {
    model: ["agent/dispose-fence", 2],
    reading: "send",
    core: "agent/dispose-fence",
    host: "agent/dispose-fence",
    repro: "agent/dispose-fence",
  },
  "steers a stopped turn": {
    model: ["agent/late-steer-queues", 3],
    reading: "send",
    core: "agent/late-steer-queues",
    host: "agent/late-steer-queues",
    repro: "agent/late-steer-queues",
  },
  "steers a closing turn": {
    model: ["agent/late-steer-queues", 4],
    reading: "send",
    core: "agent/late-steer-queues",
    host: "agent/late-steer-queues",
    repro: "agent/late-steer-queues",
  },
  "wakes for context": {
    model: ["agent/context-never-wakes", 1],
    reading: "send",
    core: replays,
    host: "agent/cleared-stays-cleared",
    repro: "agent/context-never-wakes",
  },
  "sleeps through steers": {
    model: ["agent/idle-wake-opens-turn", 1],
    reading: "send",
    core: "agent/idle-wake-opens-turn",
    host: wakes,
    repro: wakes,
  },
  "accepts an id twice": {
    model: ["agent/at-most-once", 3],
    reading: "send",
    core: wakes,
    host: ownIds,
    repro: ownIds,
  },
  "retracts without a note": { model: [rebuilds, 2], reading: "retract", core: wakes, host: logOnly, repro: rebuilds },
  "retracts on paper": {
    model: [rebuilds, 2],
    reading: "retract",
    core: wakes,
    host: "agent/context-never-wakes",
    repro: "agent/at-most-once",
  },
  "maintains while busy": {
    model: ["agent/single-writer", 2],
    reading: "maintain",
    core: "agent/turn-end-before-turn-start",
    host: "agent/single-writer",
    repro: "agent/single-writer",
  },
  "maintains after dispose": {
    model: ["agent/dispose-fence", 2],
    reading: "maintain",
    core: "agent/dispose-fence",
    host: "agent/dispose-fence",
    repro: "agent/dispose-fence",
  },
  "maintains over an unwritten record": {
    model: survives,
    reading: "maintain",
    core: survives,
    host: survives,
    repro: noCounterexample,
  },
  "clears prompts only": {
    model: ["agent/cleared-stays-cleared", 2],
    reading: "cancel",
    core: nobodyAsks,
    host: "agent/cleared-stays-cleared",
    repro: "agent/cleared-stays-cleared",
  },
  "clears around the batch": {
    model: [rebuilds, 3],
    reading: "cancel",
    core: wakes,
    host: "agent/cleared-stays-cleared",
    repro: rebuilds,
  },
  "keeps the latch on clear": {
    model: survives,
    reading: "cancel",
    core: survives,
    host: survives,
    repro: noCounterexample,
  },
  "keeps the latch under parking all": {
    model: ["agent/parked-stays-parked", 4],
    reading: "cancel",
    core: replays,
    host: "agent/parked-stays-parked",
    repro: "agent/parked-stays-parked",
  },
  "empties the latch on every stop": {
    model: ["agent/maintenance-exclusive", 4],
    reading: "cancel",
    core: wakes,
    host: wakes,
    repro: wakes,
  },
  "idles on cancel": {
    model: ["agent/idle-is-true", 2],
    reading: "cancel",
    core: "agent/turn-end-before-turn-start",
    host: "agent/status-alternates",
    repro: "agent/idle-cancel-arms-nothing",
  },
  "arms a stop at idle": {
    model: ["agent/idle-cancel-arms-nothing", 1],
    reading: "cancel",
    core: "agent/idle-cancel-arms-nothing",
    host: unseen("at idle the host has no signal that could fire"),
    repro: "agent/idle-cancel-arms-nothing",
  },
  "replaces the cause": {
    model: survives,
    reading: "dispose",
    core: survives,
    host: survives,
    repro: noCounterexample,
  },
  "aborts again": { model: survives, reading: "cancel", core: survives, host: survives, repro: noCounterexample },
  "keeps the latch on dispose": {
    model: survives,
    reading: "dispose",
    core: survives,
    host: survives,
    repro: noCounterexample,
  },
  "forgets the inbox on dispose": {
    model: [rebuilds, 2],
    reading: "dispose",
    core: wakes,
    host: unseen("nothing runs after dispose, and nobody outside is told what is pending"),
    repro: rebuilds,
  },
  "disposes in silence": {
    model: ["agent/dispose-fence", 1],
    reading: "dispose",
    core: "agent/dispose-fence",
    host: silent,
    repro: silent,
  },
  "claims after a stop": {
    model: ["agent/cancel-bites", 3],
    reading: "written",
    core: "agent/cancel-bites",
    host: guarded,
    repro: guarded,
  },
  "runs a step after a stop": {
    model: ["agent/cancel-bites", 4],
    reading: "proposed",
    core: "agent/cancel-bites",
    host: guarded,
    repro: guarded,
  },
  "goes on after a stop": {
    model: ["agent/cancel-bites", 5],
    reading: "stepped",
    core: "agent/cancel-bites",
    host: guarded,
    repro: guarded,
  },
  "aborts what was not stopped": {
    model: ["agent/idle-cancel-arms-nothing", 4],
    reading: "stepped",
    core: nobodyAsks,
    host: "agent/idle-cancel-arms-nothing",
    repro: "agent/idle-cancel-arms-nothing",
  },
  "blocks in silence": {
    model: [rebuilds, 3],
    reading: "proposed",
    core: wakes,
    host: logOnly,
    repro: forgotten,
  },
  "enters what is pending": {
    model: ["agent/at-most-once", 4],
    reading: "proposed",
    core: nobodyAsks,
    host: plainAnswers,
    repro: "agent/context-never-wakes",
  },
  "runs an empty turn": {
    model: ["agent/idle-wake-opens-turn", 3],
    reading: "proposed",
    core: nobodyAsks,
    host: "agent/idle-wake-opens-turn",
    repro: "agent/idle-wake-opens-turn",
  },
  "forgets the tools": {
    model: ["agent/tools-are-answered", 4],
    reading: "stepped",
    core: "agent/tools-are-answered",
    host: "agent/tools-are-answered",
    repro: "agent/tools-are-answered",
  },
  "leaves tools unanswered": {
    model: ["agent/tools-are-answered", 5],
    reading: "proposed",
    core: "agent/tools-are-answered",
    host: "agent/tools-are-answered",
    repro: "agent/tools-are-answered",
  },
  "steps on for context": {
    model: ["agent/context-never-wakes", 5],
    reading: "stepped",
    core: "agent/context-never-wakes",
    host: "agent/context-never-wakes",
    repro: "agent/context-never-wakes",
  },
  "takes max-tokens back": {
    model: survives,
    reading: "stepped",
    core: survives,
    host: survives,
    repro: noCounterexample,
  },
  "forgets a refused record": {
    model: [lost, 2],
    reading: "write-failed",
    core: "agent/turn-end-before-turn-start",
    host: "agent/turn-end-before-turn-start",
    repro: unseen("a turn/start that was forgotten is written again with the same number"),
  },
  "forgets the latch on a fault": {
    model: [wakes, 4],
    reading: "write-failed",
    core: wakes,
    host: wakes,
    repro: wakes,
  },
  "faults in silence": {
    model: [lost, 2],
    reading: "write-failed",
    core: "agent/idle-wake-opens-turn",
    host: silent,
    repro: silent,
  },
  "takes reports of old turns": {
    model: ["agent/late-report-harmless", 3],
    reading: "proposed",
    core: unseen("no late report of the random lives looks like an answer but for its turn"),
    host: oneAnswer,
    repro: oneAnswer,
  },
  "takes reports of other stages": {
    model: ["agent/late-report-harmless", 3],
    reading: "stepped",
    core: "agent/turn-end-before-turn-start",
    host: oneAnswer,
    repro: oneAnswer,
  },
  "takes reports of other tasks": {
    model: ["agent/late-report-harmless", 2],
    reading: "maintained",
    core: "agent/idle-is-true",
    host: oneAnswer,
    repro: oneAnswer,
  },
  "swallows a stop on the boundary": {
    model: ["agent/parked-stays-parked", 4],
    reading: "written",
    core: nobodyAsks,
    host: "agent/cancel-bites",
    repro: "agent/parked-stays-parked",
  },
  "drops the batch of a stop": {
    model: [rebuilds, 4],
    reading: "proposed",
    core: wakes,
    host: logOnly,
    repro: forgotten,
  },
  "gives back behind the others": {
    model: [rebuilds, 5],
    reading: "proposed",
    core: wakes,
    host: "agent/lane-order",
    repro: rebuilds,
  },
  "opens a turn for context": {
    model: ["agent/context-never-wakes", 5],
    reading: "written",
    core: "agent/context-never-wakes",
    host: "agent/context-never-wakes",
    repro: "agent/context-never-wakes",
  },
  "leaves prompts behind": { model: [wakes, 5], reading: "written", core: wakes, host: wakes, repro: wakes },
  "parks under drain": { model: [wakes, 5], reading: "written", core: wakes, host: wakes, repro: wakes },
  "drains under park": {
    model: survives,
    reading: "written",
    core: survives,
    host: wakes,
    repro: noCounterexample,
  },
  "claims all": {
    model: ["agent/late-steer-queues", 3],
    reading: "written",
    core: nobodyAsks,
    host: "agent/late-steer-queues",
    repro: unseen("from outside, two prompts in one turn are wrong only where one of them is late"),
  },
  "claims one": { model: survives, reading: "written", core: survives, host: survives, repro: noCounterexample },
  "claims the newest": {
    model: [rebuilds, 3],
    reading: "written",
    core: wakes,
    host: "agent/lane-order",
    repro: "agent/lane-order",
  },
  "claims no steers": {
    model: unseen("it runs for ever, and no state or step of it is wrong: liveness.test.ts refutes it"),
    reading: "written",
    core: "agent/turn-end-before-turn-start",
    host: "step limit",
    repro: unseen("its counterexample has no end"),
  },
  "writes a new turn first": {
    model: [lost, 3],
    reading: "send",
    core: "agent/turn-end-before-turn-start",
    host: "agent/turn-end-before-turn-start",
    repro: unseen("a turn/start that was forgotten is written again with the same number"),
  },
  "replays without looking": {
    model: ["agent/no-empty-replay", 4],
    reading: "maintained",
    core: replays,
    host: "agent/context-never-wakes",
    repro: "agent/no-empty-replay",
  },
  "replays in one breath": {
    model: ["agent/status-alternates", 3],
    reading: "written",
    core: "agent/status-alternates",
    host: wakes,
    repro: "agent/status-alternates",
  },
  "replays and is quiescent": {
    model: ["agent/idle-is-true", 3],
    reading: "written",
    core: "agent/idle-is-true",
    host: unseen("the host ends a wait only while it is at rest, whatever the reducer says"),
    repro: unseen("the host ends a wait only while it is at rest, whatever the reducer says"),
  },
  "never says quiescent": {
    model: ["agent/idle-is-true", 2],
    reading: "write-failed",
    core: nobodyAsks,
    host: "agent/idle-is-true",
    repro: "agent/idle-is-true",
  },
  "shows maintenance as running": {
    model: ["agent/status-alternates", 2],
    reading: "maintained",
    core: "agent/status-alternates",
    host: "agent/status-alternates",
    repro: "agent/status-alternates",
  },
  "counts no turn": {
    model: ["agent/turn-end-before-turn-start", 6],
    reading: "written",
    core: "agent/turn-end-before-turn-start",
    host: "agent/turn-end-before-turn-start",
    repro: "agent/turn-end-before-turn-start",
  },
};

/** What a suite says of the mutant; null where it does not see it. */
export function seenBy(suite: keyof Verdicts, name: string): string | readonly [string, number] | null {
  const verdict = verdicts[name]?.[suite];
  return verdict === undefined || isUnseen(verdict) ? null : verdict;
}

export function isUnseen(verdict: Verdicts[keyof Verdicts]): verdict is Unseen {
  return typeof verdict === "object" && "because" in verdict;
}
