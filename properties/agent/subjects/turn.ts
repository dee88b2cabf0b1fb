/** One turn of a subject, from its start in the log to its end: the part on which the subjects agree. */
import type { Message, TurnEndReason } from "../../../core/agent/state.ts";
import type { AgentPorts, RemovalOutcome } from "../ports.ts";
import type { Inbox } from "./inbox.ts";

export type Turn = {
  readonly turn: number;
  readonly inbox: Inbox;
  readonly ports: AgentPorts;
  readonly signal: AbortSignal;
  /** Called in the moment in which nothing can be steered any more, before the end is written. */
  readonly onClosing: (reason: TurnEndReason) => void;
};

export async function runTurn(turn: Turn): Promise<void> {
  await turn.ports.append({ type: "turn/start", turn: turn.turn });
  const reason = await runSteps(turn);
  turn.onClosing(reason);
  await turn.ports.append({ type: "turn/end", turn: turn.turn, reason });
}

async function runSteps({ turn, inbox, ports, signal }: Turn): Promise<TurnEndReason> {
  const aborted = (): TurnEndReason => ({ kind: "aborted", cause: String(signal.reason) });
  let reachedLimit = false;
  for (let step = 1; ; step++) {
    if (signal.aborted) return aborted();
    const messages = step === 1 ? inbox.claimForTurn() : inbox.claimForStep();
    announce(ports, messages, "claimed");
    // Everything was taken back before the turn got going: an empty turn, and no model call.
    if (step === 1 && messages.length === 0) return { kind: "completed" };
    try {
      const outcome = await ports.runStep({ turn, step, messages, signal });
      if (outcome === "max-tokens") reachedLimit = true;
      if (signal.aborted) return aborted();
      if (outcome === "continue" || inbox.wantsStep) continue;
      return reachedLimit ? { kind: "max-tokens" } : { kind: "completed" };
    } catch {
      return signal.aborted ? aborted() : { kind: "failed" };
    }
  }
}

export function announce(ports: AgentPorts, messages: readonly Message[], outcome: RemovalOutcome): void {
  for (const message of messages) ports.onRemoved(message, outcome);
}
