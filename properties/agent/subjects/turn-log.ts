/**
 * Numbers the turns, and remembers the record that has not landed. One that storage has refused is written again, the same
 * one, before any later one.
 */
import type { TurnEndReason, TurnRecord } from "../../../core/agent/state.ts";

export class TurnLog {
  /** The last turn whose start has landed. */
  #turn = 0;
  #unwritten: TurnRecord | null = null;

  /** On its way to storage or, in an agent at rest, refused by it. */
  get unwritten(): TurnRecord | null {
    return this.#unwritten;
  }

  opens(): TurnRecord {
    const record: TurnRecord = { type: "turn/start", turn: this.#turn + 1 };
    this.#unwritten = record;
    return record;
  }

  closes(turn: number, reason: TurnEndReason): TurnRecord {
    const record: TurnRecord = { type: "turn/end", turn, reason };
    this.#unwritten = record;
    return record;
  }

  landed(): void {
    if (this.#unwritten?.type === "turn/start") this.#turn = this.#unwritten.turn;
    this.#unwritten = null;
  }
}
