/** What only the core promises, because it shows its state and tells of its records: conditions for scenarios of its host. */
import { isDeepStrictEqual } from "node:util";
import { createAgent } from "../../core/agent/host.ts";
import { restore } from "../../core/agent/restore.ts";
import type { AgentPolicy, AgentRecord, AgentState, TurnRecord } from "../../core/agent/state.ts";
import type { World } from "../../sim/scenario.ts";
import type { AgentPorts, AgentUnderTest } from "./ports.ts";

/** Makes the core's agent, and has the world check what it promises beside everything that anybody can see. */
export function promisingCore(ports: AgentPorts, policy: Partial<AgentPolicy>, world: World): AgentUnderTest {
  const log: AgentRecord[] = [];
  /** The last turn record that was written, and whether storage has refused it. */
  let last: Written | null = null;
  let lost: string | null = null;
  /** The core may hear of a refusal before us, and write again: at level free nobody says who of two is told first. */
  const look = ({ record, refused, next }: Written): void => {
    if (refused && next !== null && !isDeepStrictEqual(next, record)) lost ??= `${next.type} ${next.turn}`;
  };
  let anyRefused = false;
  let struck: string | null = null;
  const agent = createAgent(
    {
      ...ports,
      append(record) {
        const written: Written | null = isTurnRecord(record) ? { record, refused: false, next: null } : null;
        if (written !== null) {
          if (last !== null) {
            last.next = written.record;
            look(last);
          }
          last = written;
        }
        const answer = ports.append(record);
        answer.catch(() => {
          anyRefused = true;
          if (written === null) return;
          written.refused = true;
          look(written);
        });
        return answer;
      },
    },
    policy,
  );
  agent.onRecord((record) => log.push(record));
  agent.onStop((cause) => {
    if (agent.state.phase.kind === "idle") struck ??= cause;
  });
  let phase = agent.state.phase.kind;
  world.always("the core's phase is noted", () => {
    const now = agent.state.phase.kind;
    if (now !== phase) world.note("core", `${phase} → ${now}`);
    phase = now;
    return true;
  });
  world.always("agent/idle-cancel-arms-nothing", () => struck === null || `the stop "${struck}" is told of at idle`);
  world.always("agent/nothing-lost-on-fault", () => lost === null || `${lost} is written before the refused record`);
  world.atQuiescence("agent/log-rebuilds-inbox", () => {
    // What storage refused is not in the log; and an agent that is not at rest has told of that already.
    if (anyRefused || agent.state.phase.kind !== "idle") return true;
    const rebuilt = lanesOf(restore(log));
    return isDeepStrictEqual(rebuilt, lanesOf(agent.state)) || `the log gives ${described(rebuilt)}`;
  });
  return agent;
}

/** `next`: the turn record that was written after it. */
type Written = { readonly record: TurnRecord; refused: boolean; next: TurnRecord | null };

function isTurnRecord(record: AgentRecord): record is TurnRecord {
  return record.type === "turn/start" || record.type === "turn/end";
}

function lanesOf({ nextTurn, nextStep }: AgentState): Pick<AgentState, "nextTurn" | "nextStep"> {
  return { nextTurn, nextStep };
}

function described({ nextTurn, nextStep }: Pick<AgentState, "nextTurn" | "nextStep">): string {
  const ids = [nextTurn, nextStep].map((lane) => lane.map(({ id }) => id).join(", "));
  return `next-turn [${ids[0]}], next-step [${ids[1]}]`;
}
