/**
 * The agent of the core in a small world: its outside, everything it promises, and what only the core can promise,
 * because it shows its state: an idle agent has answered every wait, and its log rebuilds it.
 */
import { isDeepStrictEqual } from "node:util";
import { createAgent } from "../../../core/agent/host.ts";
import type { Agent, AgentErrorSource, AgentPorts, Receipt } from "../../../core/agent/ports.ts";
import { restore } from "../../../core/agent/restore.ts";
import type { AgentPolicy, AgentRecord } from "../../../core/agent/state.ts";
import type { World } from "../../../sim/scenario.ts";
import { always, atQuiescence } from "../contract.ts";
import { Recording } from "../history.ts";
import { type Labels, makeOutside, type OutsideOptions, plainLabels } from "../outside.ts";
import { type RecordedAgent, recordAgent, recordPorts } from "../recorder.ts";

export type CoreWorld = {
  readonly agent: Agent;
  /** The same agent; commands given here are written down, and judged by the invariants. */
  readonly user: RecordedAgent;
  readonly recording: Recording;
  /** Records that storage has taken. */
  readonly log: AgentRecord[];
  /** What became of each message that the user sent. */
  readonly receipts: ReadonlyMap<string, Receipt["outcome"]>;
  readonly errors: { readonly error: unknown; readonly source: AgentErrorSource }[];
};

export type CoreOptions = {
  /** Where two agents live in one world. */
  readonly name?: string;
  readonly outside?: Partial<Omit<OutsideOptions, "labels">>;
  readonly policy?: Partial<AgentPolicy>;
  /** Stands between the agent and its recorded ports. */
  readonly wrap?: (ports: AgentPorts, recording: Recording) => AgentPorts;
  /** False where a port never answers: then the agent owes nothing at quiescence. */
  readonly settles?: boolean;
  /** Names of invariants that cannot judge the situation. */
  readonly unjudged?: readonly string[];
};

export function coreIn(world: World, options: CoreOptions = {}): CoreWorld {
  const { name = "agent", policy = {}, wrap = (ports) => ports, settles = true, unjudged = [] } = options;
  const recording = new Recording(policy);
  const log: AgentRecord[] = [];
  const errors: CoreWorld["errors"][number][] = [];
  const outside = makeOutside(world, {
    chunks: 1,
    plan: () => ({ tools: [], outcome: "completed" }),
    slow: [],
    mayFail: [],
    ...options.outside,
    labels: labelsOf(name),
  });
  const agent = createAgent(
    {
      ...wrap(recordPorts(recording, outside), recording),
      onError: (error, source) => void errors.push({ error, source }),
    },
    policy,
  );
  agent.onRecord((record) => void log.push(record));
  const receipts = new Map<string, Receipt["outcome"]>();
  const recorded = recordAgent(recording, {
    ...agent,
    send(message) {
      const receipt = agent.send(message);
      receipts.set(message.id, receipt.outcome);
      return receipt;
    },
  });
  const user: RecordedAgent = {
    ...recorded,
    // Somebody who sends waits for the answer: when that wait ends is judged, too.
    send(message) {
      const answer = recorded.send(message);
      void recorded.whenIdle();
      return answer;
    },
  };
  for (const invariant of always.filter((one) => !unjudged.includes(one.name))) {
    world.always(`${name}: ${invariant.name}`, () => invariant.violation(recording) ?? true);
  }
  if (!settles) return { agent, user, recording, log, receipts, errors };

  for (const invariant of atQuiescence) {
    world.atQuiescence(`${name}: ${invariant.name}`, () => invariant.violation(recording) ?? true);
  }
  world.atQuiescence(`${name}: is at rest, and its log rebuilds it`, () => {
    if (agent.state.phase.kind !== "idle" || agent.status !== "idle") return `it is ${agent.state.phase.kind}`;
    // What storage refused is not in the log.
    if (agent.state.unwritten !== null || errors.some(({ source }) => source === "append")) return true;
    const rebuilt = { ...restore(log), disposed: agent.state.disposed };
    return isDeepStrictEqual(rebuilt, agent.state) || `${JSON.stringify(rebuilt)}, not ${JSON.stringify(agent.state)}`;
  });
  return { agent, user, recording, log, receipts, errors };
}

function labelsOf(name: string): Labels {
  const own = (label: string) => label.replace(/^agent:/, `${name}:`);
  return {
    turnStart: own(plainLabels.turnStart),
    turnEnd: own(plainLabels.turnEnd),
    note: own(plainLabels.note),
    propose: own(plainLabels.propose),
    model: own(plainLabels.model),
    tool: own(plainLabels.tool),
    teardown: own(plainLabels.teardown),
    maintenance: own(plainLabels.maintenance),
  };
}
