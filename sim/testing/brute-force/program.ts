/**
 * Small programs as data. A program is a few flows over shared variables, a lock, a latch, an abort signal, an event target and a timer; each
 * flow is an actor, or a source of events. `code.ts` runs it, `declared.ts` says what each of its deliveries touches.
 */

/** What happens at once, without waiting. `flow`'s own register is part of all of it. */
export type Act =
  /** Mixes the variable into the register. */
  | { readonly do: "read"; readonly variable: number }
  /** Mixes the register into the variable. */
  | { readonly do: "write"; readonly variable: number }
  | { readonly do: "note"; readonly event: number }
  | { readonly do: "draw"; readonly from: "world" | "math" | "crypto" }
  /** Mixes the time into the register. */
  | { readonly do: "clock"; readonly of: "Date" | "world" }
  | { readonly do: "pick"; readonly of: number }
  | { readonly do: "release" }
  | { readonly do: "signal" }
  | { readonly do: "abort" }
  | { readonly do: "dispatch" }
  /** Mixes into the register whether the signal is aborted. */
  | { readonly do: "look" }
  /** To the signal, to one that follows it, or to an event target. */
  | { readonly do: "listen"; readonly to: "signal" | "follower" | "target"; readonly then: Reaction }
  /**
   * Starts a timer that fires so many times (an interval, if more than once), or so many immediates where `afterMs` is
   * null, and keeps its handle where others find it.
   */
  | { readonly do: "arm"; readonly afterMs: number | null; readonly times: number; readonly then: Reaction }
  | { readonly do: "clear" }
  /** Throws where the variable has this remainder by 3. */
  | { readonly do: "refuse"; readonly variable: number; readonly remainder: number };

/** What a timer or a listener does: it belongs to no flow. */
export type Reaction =
  | { readonly do: "write"; readonly variable: number }
  | { readonly do: "signal" }
  | { readonly do: "abort" };

/** I/O or a delay. Its label names no source (it inherits one), the flow's helper, or one that all flows share. */
export type Asked = {
  readonly source: "inherited" | "helper" | "shared";
  readonly label: "a" | "b";
  readonly declares: boolean;
  readonly may: "arrive" | "fail" | "hang";
};

/** What a flow waits for. */
export type Pause =
  | { readonly do: "io"; readonly asked: Asked }
  | { readonly do: "delay"; readonly asked: Asked }
  /** Two at once; where `joins`, the flow goes on after both, else without waiting. */
  | { readonly do: "fork"; readonly ways: readonly [Way, Way]; readonly joins: boolean }
  /** These two go on in whoever's drain releases or signals. */
  | { readonly do: "acquire" }
  | { readonly do: "wait" };
export type Way = { readonly asked: Asked; readonly then: readonly Act[] };

export type Instruction = Act | Pause;
export type Block = readonly Instruction[];

/** An actor has one block, a source of events one for each step. */
export type Flow = { readonly kind: "actor" | "events"; readonly declares: boolean; readonly blocks: readonly Block[] };

/** Holds as long as the variable does not have this remainder by 5. */
export type Condition = {
  readonly when: "always" | "quiescence";
  readonly variable: number;
  readonly remainder: number;
};

export type Program = {
  readonly flows: readonly Flow[];
  readonly conditions: readonly Condition[];
  /** Who first looks at the signal makes it, instead of the scenario's body. */
  readonly lazySignal: boolean;
};

export const variablesMost = 4;

/** Roughly how many orders there are: more, where one waits for another. */
export function ordersMost({ flows }: Program): number {
  const chains: number[] = [];
  let factor = 1;
  for (const { blocks } of flows) {
    let steps = blocks.length;
    for (const instruction of blocks.flat()) {
      if (instruction.do === "io" || instruction.do === "delay") {
        steps++;
        factor *= instruction.do === "io" && instruction.asked.may !== "arrive" ? 2 : 1;
      } else if (instruction.do === "fork") {
        steps++;
        chains.push(1);
        for (const { asked, then } of instruction.ways) factor *= (asked.may === "arrive" ? 1 : 2) * choicesOf(then);
      } else if (instruction.do === "arm") chains.push(instruction.times);
      factor *= choicesOf([instruction]);
    }
    chains.push(steps);
  }
  let orders = factor;
  let placed = 0;
  for (const chain of chains) for (let at = 1; at <= chain; at++) orders *= ++placed / at;
  return Math.round(orders);
}

function choicesOf(block: Block): number {
  return block.reduce((product, instruction) => product * (instruction.do === "pick" ? instruction.of : 1), 1);
}
