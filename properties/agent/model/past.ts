/**
 * What of a step is to be remembered: the contract's words for it, read off the input and the effects alone.
 */
import type { AgentEffect, AgentPolicy, AgentRecord, AgentState, Message } from "../../../core/agent/state.ts";
import { type Fate, indexOf, nothingAsked, type Past, type World, type WorldInput } from "./world.ts";

type Draft = { -readonly [Name in keyof Past]: Past[Name] };

/** The whole state after a step that moved something; the same one after a step that was turned away. */
export function remembered(
  policy: AgentPolicy,
  before: World,
  input: WorldInput,
  agent: AgentState,
  effects: readonly AgentEffect[],
): World {
  if (agent === before.agent && effects.some(({ type }) => type === "refused" || type === "stale")) return before;
  const memory = new Memory(policy, before);
  memory.take(input);
  for (const effect of effects) memory.see(effect, input);
  return { agent, past: memory.past, fates: memory.fates, crashesLeft: before.crashesLeft };
}

class Memory {
  readonly past: Draft;
  fates: readonly Fate[];
  readonly #policy: AgentPolicy;
  readonly #before: World;

  constructor(policy: AgentPolicy, before: World) {
    this.#policy = policy;
    this.#before = before;
    this.past = { ...before.past };
    this.fates = before.fates;
  }

  take(input: WorldInput): void {
    const { past } = this;
    switch (input.type) {
      case "cancel":
        // At idle there is nothing to stop, and whatever waits there is parked already.
        if (past.request.kind === "none") return;
        this.#stop();
        if (input.keepInbox) this.#park();
        else past.hold = "cleared";
        return;
      case "dispose":
        if (past.disposal !== "none") return;
        past.disposal = "asked";
        this.#excuse(true);
        if (past.request.kind !== "none") this.#stop();
        return;
      case "send":
      case "retract":
      case "maintain":
      case "late":
      case "crash":
        return;
      default:
        past.request = nothingAsked;
        past.behind = false;
        if (input.type === "written") this.#landed(input.record);
        if (input.type === "stepped") past.tools = input.outcome === "continue";
    }
  }

  see(effect: AgentEffect, input: WorldInput): void {
    const { past } = this;
    switch (effect.type) {
      case "append":
        this.#noted(effect.record, input);
        return;
      case "status":
        past.status = effect.status;
        if (effect.status === "running") this.#begin(true);
        return;
      case "propose":
        past.request = { kind: "propose", turn: effect.turn, step: effect.step };
        return;
      case "run-step":
        past.request = { kind: "step", turn: effect.turn, step: effect.step };
        return;
      case "run-maintenance":
        past.request = { kind: "maintenance", activity: effect.activity };
        return;
      case "fault":
        // A latched wake tries again; whatever else was owed is parked.
        this.#excuse(false);
        return;
      case "quiescent":
        this.#begin(false);
        return;
      case "disposed":
        past.disposal = "reached";
        return;
      default:
        return;
    }
  }

  #noted(record: AgentRecord, input: WorldInput): void {
    const { past } = this;
    switch (record.type) {
      case "turn/start":
        this.#serve();
        past.tools = false;
        past.request = { kind: "write", record };
        return;
      case "turn/end":
        // The end of a turn of its own, not a left-over one.
        if (record.reason.kind === "failed" && this.#policy.afterFailure === "park" && this.#isOwnEnd()) {
          this.#excuse(false);
        }
        past.tools = false;
        past.request = { kind: "write", record };
        return;
      case "inbox/inserted":
        this.#accept(record.message);
        break;
      case "inbox/removed": {
        const cleared = record.outcome === "canceled" && input.type === "cancel";
        this.#put(record.id, record.outcome === "claimed" ? "batch" : cleared ? "cleared" : "over");
        break;
      }
      case "inbox/restored":
        for (const { id } of record.messages) this.#put(id, "pending");
        break;
      case "user/message":
        this.#put(record.message.id, "over");
        break;
    }
    if (past.request.kind === "write" && this.#before.crashesLeft > 0) past.behind = true;
  }

  #accept({ lane, wake }: Message): void {
    const { past } = this;
    const owed = !wake || past.disposal !== "none" ? "no" : this.#convergesOnly() ? "latched" : "live";
    if (wake) past.hold = "none";
    this.fates = [...this.fates, { place: "pending", lane, wake, owed }];
  }

  /** The activity will not look at the inbox again. */
  #convergesOnly(): boolean {
    const { request, stopped } = this.past;
    if (request.kind === "none") return false;
    if (request.kind === "maintenance" || stopped) return true;
    return request.kind === "write" && this.#before.past.debt === false && endsFailed(request.record);
  }

  #isOwnEnd(): boolean {
    const { kind } = this.#before.past.request;
    return kind === "propose" || kind === "step";
  }

  #landed(record: AgentRecord): void {
    const { past } = this;
    if (record.type === "turn/start") {
      past.logTurn = record.turn;
      past.logOpen = true;
      past.debt = false;
    } else if (record.type === "turn/end") {
      past.logTurn = record.turn;
      past.logOpen = false;
    }
  }

  #stop(): void {
    this.past.stopped = true;
    this.past.debt = false;
  }

  /** A stop that keeps the inbox parks nothing while a latched wake is pending, unless the policy parks all. */
  #park(): void {
    const all = this.#policy.parking === "all";
    this.#excuse(all);
    const replays = this.fates.some(({ place, owed }) => place === "pending" && owed === "latched");
    if (!replays) this.past.hold = "parked";
  }

  /** A driver begins, or an activity is over. */
  #begin(driver: boolean): void {
    const { past } = this;
    past.stopped = false;
    past.hold = "none";
    past.tools = false;
    past.debt = driver;
    if (driver) this.#serve();
  }

  /** What was to be replayed is the business of the live driver. */
  #serve(): void {
    if (this.fates.some(({ owed }) => owed === "latched")) {
      this.fates = this.fates.map((fate) => (fate.owed === "latched" ? { ...fate, owed: "live" } : fate));
    }
  }

  /** Something has happened that parks what is owed: what the live driver owes, or all. */
  #excuse(all: boolean): void {
    if (this.fates.some(({ owed }) => owed === "live" || (all && owed === "latched"))) {
      this.fates = this.fates.map((fate) =>
        fate.owed === "live" || (all && fate.owed === "latched") ? { ...fate, owed: "no" } : fate,
      );
    }
  }

  #put(id: string, place: Fate["place"]): void {
    const index = indexOf(id);
    const fate = this.fates[index];
    if (fate === undefined) return;
    const next: Fate = place === "over" ? over : place === "cleared" ? cleared : { ...fate, place, owed: "no" };
    this.fates = this.fates.with(index, next);
  }
}

/** Of a message that is done with, nothing more is to be known: fewer states, and the same promises. */
const over: Fate = { place: "over", lane: "next-turn", wake: false, owed: "no" };
const cleared: Fate = { ...over, place: "cleared" };

function endsFailed(record: AgentRecord): boolean {
  return record.type === "turn/end" && record.reason.kind === "failed";
}
