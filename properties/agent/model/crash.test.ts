import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { restore } from "../../../core/agent/restore.ts";
import type { AgentRecord, AgentState } from "../../../core/agent/state.ts";
import { type Bounds, defaultBounds } from "./bounds.ts";
import { crashed } from "./crash.ts";
import { agentModel, policies } from "./model.ts";
import type { World, WorldInput } from "./world.ts";

const bounds: Bounds = { ...defaultBounds, crashes: 40, writeFaults: 2 };

/** The log of one run, as a storage with one ordered queue keeps it. Turns are counted from the first. */
class Log {
  readonly landed: AgentRecord[] = [];
  readonly waiting: AgentRecord[] = [];
  /** Turns that the model counts no more. */
  skipped = 0;

  append(record: AgentRecord): void {
    this.waiting.push(atTurn(record, this.skipped));
    this.flush();
  }

  /** Notes need no answer; a turn record waits for one. */
  flush(): void {
    while (this.waiting[0] !== undefined && !isTurnRecord(this.waiting[0])) this.land();
  }

  land(): void {
    const record = this.waiting.shift();
    if (record !== undefined) this.landed.push(record);
  }
}

const isTurnRecord = ({ type }: AgentRecord) => type === "turn/start" || type === "turn/end";

function atTurn(record: AgentRecord, by: number): AgentRecord {
  return "turn" in record && record.turn !== undefined ? { ...record, turn: record.turn + by } : record;
}

function fromTurn(agent: AgentState, by: number): AgentState {
  const { unwritten } = agent;
  return {
    ...agent,
    lastTurn: agent.lastTurn + by,
    unwritten: unwritten === null ? null : { ...unwritten, turn: unwritten.turn + by },
  };
}

/** What a crash leaves of the log: without the record in flight, or up to everything behind it. */
function left({ landed, waiting }: Log, hasLanded: boolean): readonly AgentRecord[] {
  return hasLanded ? [...landed, ...waiting] : landed;
}

describe("crashed", () => {
  test("crashed() gives what restore() reads from the log, after every step of a random run", () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.constantFrom(...policies), fc.array(fc.nat(), { maxLength: 40, size: "max" }), (policy, picks) => {
        const model = agentModel({ policy, bounds });
        const log = new Log();
        let world = model.initial;
        for (const pick of picks) {
          const inputs: WorldInput[] = [];
          // Late reports change nothing, and there are many.
          model.inputs(world, (input) => void (input.type !== "late" && inputs.push(input)));
          const input = inputs[pick % inputs.length];
          if (input === undefined) break;
          const { state, effects } = model.step(world, input);
          if (input.type === "crash") {
            if (input.landed) while (log.waiting.length > 0) log.land();
            log.waiting.length = 0;
          }
          if (input.type === "written") log.land();
          if (input.type === "write-failed") log.waiting.shift();
          log.flush();
          for (const effect of effects) if (effect.type === "append") log.append(effect.record);
          log.skipped += turnsSkipped(world, input, state);
          world = state;
          for (const hasLanded of world.past.request.kind === "write" ? [true, false] : [false]) {
            if (!hasLanded && world.past.behind) continue;
            const restarted = crashed({ ...world, crashesLeft: 1 }, hasLanded).agent;
            expect(restore(left(log, hasLanded))).toEqual(fromTurn(restarted, log.skipped));
            compared++;
          }
        }
      }),
      { numRuns: 80, seed: 11 },
    );
    expect(compared).toBeGreaterThan(1_000);
  });
});

/** How many turns the model counts no more after this step: those that the log has and its states have not. */
function turnsSkipped(before: World, input: WorldInput, after: World): number {
  const landed = input.type === "written" ? 1 : input.type === "crash" && input.landed ? 1 : 0;
  const { request, logTurn } = before.past;
  if (landed === 0 || request.kind !== "write") return 0;
  return (request.record.type === "turn/start" ? request.record.turn : logTurn) - after.past.logTurn;
}
