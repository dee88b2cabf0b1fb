/** One turn of a subject, from its start in the log to its end: the part on which the subjects agree. */
import type { Message, TurnEndReason } from "../../../core/agent/state.ts";
import type { AgentPorts, RemovalOutcome } from "../ports.ts";
import type { Activity } from "./activity.ts";
import type { Inbox } from "./inbox.ts";
import type { TurnLog } from "./turn-log.ts";

export type Drive = {
  /** Told in the moment in which nothing can be steered any more, before the end is written. */
  readonly driver: Activity;
  readonly log: TurnLog;
  readonly inbox: Inbox;
  readonly ports: AgentPorts;
};

/** Returns false where storage refuses a record: then the driver has to leave, whatever the inbox wants. */
export async function runTurn(of: Drive): Promise<boolean> {
  const { driver, log, ports } = of;
  try {
    if (log.unwritten?.type === "turn/end") {
      driver.closesTurn();
      await ports.append(log.unwritten);
      log.landed();
      if (driver.isStopped) return true;
    }
    driver.opensTurn();
    const start = log.opens();
    await ports.append(start);
    log.landed();
    const reason = await runSteps(start.turn, of);
    driver.closesTurn(reason);
    await ports.append(log.closes(start.turn, reason));
    log.landed();
    return true;
  } catch {
    return false;
  }
}

async function runSteps(turn: number, { driver, inbox, ports }: Drive): Promise<TurnEndReason> {
  const { signal } = driver;
  const aborted = (): TurnEndReason => ({ kind: "aborted", cause: String(signal.reason) });
  let reachedLimit = false;
  for (let step = 1; ; step++) {
    if (signal.aborted) return aborted();
    const messages = step === 1 ? inbox.claimForTurn() : inbox.claimForStep();
    announce(ports, messages, "claimed");
    // Whoever was told of the claim may have stopped the agent.
    if (signal.aborted) {
      inbox.giveBack(messages);
      return aborted();
    }
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
