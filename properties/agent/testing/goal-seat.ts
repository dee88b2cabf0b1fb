/** What a goal driver needs to know of an agent, for one that offers no more than a kit asks of it: seen at its ports. */
import type { Agent, AgentStatus } from "../../../core/agent/ports.ts";
import type { AgentRecord, Message } from "../../../core/agent/state.ts";
import type { AgentPorts, AgentUnderTest } from "../ports.ts";
import { presets } from "../script.ts";

export type GoalSeat = Pick<
  Agent,
  "followUp" | "retract" | "status" | "pending" | "onStatus" | "onRecord" | "onStop" | "whenIdle"
>;

export function goalSeatOn(make: (ports: AgentPorts) => AgentUnderTest, ports: AgentPorts): GoalSeat {
  const pending = new Map<string, Message>();
  const onStatus = new Set<(status: AgentStatus) => void>();
  const onRecord = new Set<(record: AgentRecord) => void>();
  let status: AgentStatus = "idle";
  let turn = 0;
  const tell = (record: AgentRecord) => {
    for (const listener of onRecord) listener(record);
  };
  const agent = make({
    ...ports,
    async append(record) {
      if (record.type === "turn/start") turn = record.turn;
      await ports.append(record);
      // An agent that keeps notes tells of what was removed twice, and once is enough.
      if (record.type === "turn/start" || record.type === "turn/end") tell(record);
    },
    onStatus(now) {
      status = now;
      ports.onStatus(now);
      for (const listener of onStatus) listener(now);
    },
    onRemoved(message, outcome) {
      pending.delete(message.id);
      ports.onRemoved(message, outcome);
      tell({ type: "inbox/removed", id: message.id, outcome, ...(outcome === "claimed" && { turn }) });
    },
  });
  return {
    followUp(id, body) {
      const message: Message = { id, ...presets.followUp, body };
      // Before the agent has it: it may claim the message before send() returns.
      pending.set(id, message);
      agent.send(message);
      return { outcome: "accepted" };
    },
    retract(id) {
      if (!pending.has(id)) return { outcome: "refused", reason: "not-pending" };
      agent.retract?.(id);
      return { outcome: "accepted" };
    },
    whenIdle: async () => void (await agent.whenIdle()),
    get status() {
      return status;
    },
    get pending() {
      return [...pending.values()];
    },
    onStatus: (listener) => listening(onStatus, listener),
    onRecord: (listener) => listening(onRecord, listener),
    // Nobody stops the agent here.
    onStop: () => () => undefined,
  };
}

function listening<Listener>(all: Set<Listener>, listener: Listener): () => void {
  all.add(listener);
  return () => void all.delete(listener);
}
