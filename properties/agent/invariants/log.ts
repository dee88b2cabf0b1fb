/** What must be true of the log and of who writes it. */
import type { TurnRecord } from "../../../core/agent/state.ts";
import type { Invariant } from "../../invariant.ts";
import { describeObservation, type History, type Observation } from "../history.ts";
import { judgeEach, lastBefore } from "../look-back.ts";
import { activityCall, viewBefore } from "../view.ts";

export const turnEndBeforeTurnStart: Invariant<History> = {
  name: "agent/turn-end-before-turn-start",
  why: "Whoever reads the log back (a restart, a user interface) takes an open turn for a crash and a second end for another turn.",
  violation: judgeEach((seen, history) => {
    if (seen.type !== "settled" || !seen.ok) return undefined;
    const record = turnRecord(history.observations[seen.call]);
    if (record === null) return undefined;
    const before = lastBefore(history, seen.at, (one) => landedTurnRecord(one, history) !== null);
    const last = before === null ? null : landedTurnRecord(before, history);
    const type = last?.type === "turn/start" ? "turn/end" : "turn/start";
    const turn = last === null ? 1 : last.type === "turn/start" ? last.turn : last.turn + 1;
    if (record.type === type && record.turn === turn) return undefined;
    return `${record.type} ${record.turn} landed where the log expects ${type} ${turn}`;
  }),
};

export const singleWriter: Invariant<History> = {
  name: "agent/single-writer",
  why: "Two drivers spend two model calls on one conversation and interleave their records.",
  violation: judgeEach((seen, history) => {
    if (activityCall(seen) === null) return undefined;
    const [live] = viewBefore(history, seen.at).live;
    const other = live === undefined ? undefined : history.observations[live.call];
    if (other !== undefined) return `${describeObservation(seen)} while ${describeObservation(other)} is in flight`;
    return strayStep(seen, history);
  }),
};

/** A step of a turn that is not the one the log was told of last belongs to somebody else. */
function strayStep(seen: Observation, history: History): string | undefined {
  if (seen.type !== "propose" && seen.type !== "run-step") return undefined;
  const last = lastBefore(history, seen.at, (one) => turnRecord(one) !== null);
  const record = turnRecord(last ?? undefined);
  if (record?.type === "turn/start" && record.turn === seen.turn) return undefined;
  const found = last === null ? "no turn was started" : `the last record is ${describeObservation(last)}`;
  return `${describeObservation(seen)}, but ${found}`;
}

function turnRecord(seen: Observation | undefined): TurnRecord | null {
  if (seen?.type !== "append") return null;
  return seen.record.type === "turn/start" || seen.record.type === "turn/end" ? seen.record : null;
}

function landedTurnRecord(seen: Observation, history: History): TurnRecord | null {
  return seen.type === "settled" && seen.ok ? turnRecord(history.observations[seen.call]) : null;
}
