/**
 * Histories written by hand, to show an invariant what it must refuse and what it must let pass. Each method adds what
 * an agent would show at that point; messages are sent by name and looked up by name.
 */
import type { AgentCommand, AgentPolicy, Message, TurnEndReason } from "../../core/agent/state.ts";
import { Recording, type Sighting } from "./history.ts";
import type { RemovalOutcome, StepOutcome } from "./ports.ts";
import { type Preset, presets } from "./script.ts";

export class Planted extends Recording {
  readonly #messages = new Map<string, Message>();

  /** Starts with an agent that has never done anything. */
  static history(policy: Partial<AgentPolicy> = {}): Planted {
    return new Planted(policy);
  }

  send(id: string, preset: Preset = "followUp"): this {
    const message: Message = { id, ...presets[preset] };
    this.#messages.set(id, message);
    return this.command({ type: "send", message });
  }

  stop({ keepInbox }: { readonly keepInbox: boolean } = { keepInbox: true }): this {
    return this.command({ type: "cancel", cause: "stop", keepInbox });
  }

  /** Gives a command that is answered at once. */
  command(command: AgentCommand): this {
    const call = this.add({ type: "command", command });
    return this.sees({ type: "settled", call, ok: true });
  }

  /** Gives a command from inside the port call that was seen last; the agent may take it until `returned`. */
  inside(command: AgentCommand): this {
    const call = this.add({ type: "command", command, inside: true });
    return this.sees({ type: "settled", call, ok: true });
  }

  /** The stretch in which the newest command was given from inside is over. */
  returned(): this {
    const command = this.observations.findLast((seen) => seen.type === "command" && seen.inside);
    return this.sees({ type: "returned", call: command?.at ?? 0 });
  }

  running(): this {
    return this.sees({ type: "status", status: "running" });
  }

  idle(): this {
    return this.sees({ type: "status", status: "idle" });
  }

  removed(id: string, outcome: RemovalOutcome): this {
    return this.sees({ type: "removed", id, outcome });
  }

  /** A turn/start that lands. */
  start(turn: number): this {
    return this.settled(this.asksStart(turn));
  }

  asksStart(turn: number): number {
    return this.add({ type: "append", record: { type: "turn/start", turn } });
  }

  /** A turn/end that lands. */
  end(turn: number, kind: TurnEndReason["kind"] = "completed"): this {
    return this.settled(this.asksEnd(turn, kind));
  }

  asksEnd(turn: number, kind: TurnEndReason["kind"] = "completed"): number {
    const reason: TurnEndReason = kind === "aborted" ? { kind, cause: "stop" } : { kind };
    return this.add({ type: "append", record: { type: "turn/end", turn, reason } });
  }

  /** A step that runs to its end; `failed` where it throws. */
  step(turn: number, step: number, ids: readonly string[], outcome: StepOutcome | "failed" = "completed"): this {
    return this.settled(this.asksStep(turn, step, ids), outcome);
  }

  asksStep(turn: number, step: number, ids: readonly string[]): number {
    return this.add({ type: "run-step", turn, step, messages: this.#named(ids) });
  }

  asksProposal(turn: number, step: number, ids: readonly string[]): number {
    return this.add({ type: "propose", turn, step, messages: this.#named(ids) });
  }

  settled(call: number, outcome?: StepOutcome | "failed"): this {
    if (outcome === "failed") return this.sees({ type: "settled", call, ok: false });
    return this.sees({ type: "settled", call, ok: true, ...(outcome !== undefined && { outcome }) });
  }

  waits(): number {
    return this.add({ type: "when-idle" });
  }

  sees(sighting: Sighting): this {
    this.add(sighting);
    return this;
  }

  #named(ids: readonly string[]): readonly Message[] {
    return ids.map((id) => this.#messages.get(id) ?? { id, ...presets.followUp });
  }
}
