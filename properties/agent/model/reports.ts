/**
 * What a host may report, each made once: an input that is the same object again is known again at a glance
 * (`recalling.ts`), and nothing is allocated to offer it.
 */
import type { AgentInput, AgentReport, Decision, Message, StepOutcome, TurnRecord } from "../../../core/agent/state.ts";
import { addition, indexOf, type WorldInput } from "./world.ts";

export const maintained = once(
  (activity: string) => activity,
  (activity): AgentInput => ({ type: "maintained", activity }),
);

export const writing = once(
  (record: TurnRecord) => (record.type === "turn/start" ? record.turn : -1 - record.turn * 16 - reasonOf(record)),
  (record): { readonly written: AgentInput; readonly refused: AgentInput } => ({
    written: { type: "written", record },
    refused: { type: "write-failed", record },
  }),
);

const reasons = ["completed", "max-tokens", "blocked", "failed", "interrupted"];

function reasonOf({ reason }: Extract<TurnRecord, { readonly type: "turn/end" }>): number {
  if (reason.kind === "aborted") return reason.cause === "user" ? 6 : 7;
  return reasons.indexOf(reason.kind);
}

const outcomes: readonly (StepOutcome | "failed")[] = ["completed", "max-tokens", "failed"];

export const stepping = once(
  (turn: number, step: number) => turn * 16 + step,
  (turn, step): { readonly goesOn: AgentInput; readonly ends: readonly AgentInput[] } => ({
    goesOn: { type: "stepped", turn, step, outcome: "continue" },
    ends: outcomes.map((outcome) => ({ type: "stepped", turn, step, outcome })),
  }),
);

/** Every decision about a batch. `pending`: a message that is not claimed, which the host may not let in. */
export const proposing = once(
  (turn: number, step: number, batch: readonly Message[], pending: Message | undefined) => {
    let key = turn * 16 + step;
    for (const message of batch) key = key * 32 + codeOf(message);
    return key * 32 + (pending === undefined ? 0 : codeOf(pending));
  },
  (turn, step, batch, pending): readonly AgentInput[] =>
    decisions(batch, pending).map((decision) => ({ type: "proposed", turn, step, decision })),
);

const reject: Decision = { kind: "reject" };
const failed: Decision = { kind: "failed" };

function decisions(batch: readonly Message[], pending: Message | undefined): readonly Decision[] {
  const enter = (messages: readonly Message[]): Decision => ({ kind: "enter", messages });
  // Each part of the batch; all of it first, none of it last.
  const parts = Array.from({ length: 1 << batch.length }, (_, left) =>
    enter(batch.filter((_, index) => ((left >> index) & 1) === 0)),
  );
  const refused = pending === undefined ? [] : [enter([...batch, pending])];
  return [...parts, enter([...batch, addition]), ...refused, reject, failed];
}

function codeOf({ id, lane, wake }: Message): number {
  return 1 + indexOf(id) * 4 + (lane === "next-turn" ? 2 : 0) + (wake ? 1 : 0);
}

/** Reports of all kinds that are not what was `asked` for: a turn record, a proposal, a step, a task, or nothing. */
export const late = once(
  (asked: string, turn: number, step: number) => `${asked} ${turn * 16 + step}`,
  (asked, turn, step): readonly WorldInput[] => {
    const turnFor = (kind: string) => (kind === asked ? turn - 1 : turn);
    const start: TurnRecord = { type: "turn/start", turn: turnFor("turn/start") };
    const end: TurnRecord = { type: "turn/end", turn: turnFor("turn/end"), reason: { kind: "completed" } };
    const reports: readonly AgentReport[] = [
      ...[start, end].flatMap((record): readonly AgentReport[] => [
        { type: "written", record },
        { type: "write-failed", record },
      ]),
      { type: "proposed", turn: turnFor("propose"), step, decision: reject },
      { type: "stepped", turn: turnFor("step"), step, outcome: "failed" },
      ...(asked === "propose" ? [{ type: "proposed", turn, step: step + 1, decision: reject } as const] : []),
      ...(asked === "step" ? [{ type: "stepped", turn, step: step + 1, outcome: "failed" } as const] : []),
      { type: "maintained", activity: "task 0" },
    ];
    return reports.map((report) => ({ type: "late", report }));
  },
);

function once<Args extends readonly unknown[], Made>(
  keyOf: (...args: Args) => string | number,
  make: (...args: Args) => Made,
): (...args: Args) => Made {
  const made = new Map<string | number, Made>();
  return (...args) => {
    const key = keyOf(...args);
    const known = made.get(key);
    if (known !== undefined) return known;
    const fresh = make(...args);
    made.set(key, fresh);
    return fresh;
  };
}
