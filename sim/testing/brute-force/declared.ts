/**
 * Says what a delivery of a program touches, from the program alone: everything up to where its flow waits for the world
 * again, and everything that others go on to do in the same drain because it releases, signals or aborts.
 */
import type { Touches } from "../../scenario.ts";
import type { Asked, Block, Flow, Instruction, Program, Reaction, Way } from "./program.ts";

/** A place in a program: what comes from here on. */
export type Site = { readonly flow: number; readonly block: Block; readonly at: number };

/** What the deliveries of a program touch. Each is worked out once: a program runs thousands of times. */
export class Declared {
  readonly #program: Program;
  readonly #known = new Map<Block, Map<number, Touches>>();

  constructor(program: Program) {
    this.#program = program;
  }

  /** What runs from `site` on until its flow waits for the world. */
  from(site: Site): Touches {
    return this.#once(site.block, site.at, (walk) => walk.from(site));
  }

  /** What the arrival of I/O touches that `site` waits for. */
  arrival(asked: Asked, site: Site): Touches {
    return this.#once(site.block, -site.at - 1, (walk) => {
      if (asked.may === "fail") walk.register(site.flow);
      walk.from({ ...site, at: site.at + 1 });
    });
  }

  /** What the arrival of one way of the fork at `site` touches. */
  way({ asked, then }: Way, joins: boolean, site: Site): Touches {
    return this.#once(then, 0, (walk) => {
      if (asked.may === "fail") walk.register(site.flow);
      walk.from({ flow: site.flow, block: then, at: 0 });
      if (!joins) return;
      // Who arrives last goes on, so both look at who has arrived.
      walk.writes.add(`join ${site.flow} ${site.at}`);
      walk.from({ ...site, at: site.at + 1 });
    });
  }

  #once(block: Block, at: number, walks: (walk: Walk) => void): Touches {
    const known = this.#known.get(block) ?? new Map<number, Touches>();
    this.#known.set(block, known);
    let touches = known.get(at);
    if (touches === undefined) {
      const walk = new Walk(this.#program);
      walks(walk);
      touches = walk.touches();
      known.set(at, touches);
    }
    return touches;
  }
}

class Walk {
  readonly reads = new Set<string>();
  readonly writes = new Set<string>();
  readonly #program: Program;
  readonly #heardOf = new Set<string>();
  readonly #seen = new Map<Block, Set<number>>();

  constructor(program: Program) {
    this.#program = program;
  }

  touches(): Touches {
    return { reads: [...this.reads].sort(), writes: [...this.writes].sort() };
  }

  from({ flow, block, at }: Site): void {
    for (; at < block.length; at++) {
      const seen = this.#seen.get(block) ?? new Set<number>();
      this.#seen.set(block, seen);
      const instruction = block[at];
      if (instruction === undefined || seen.has(at)) return;
      seen.add(at);
      if (this.#instruct(flow, instruction)) return;
    }
  }

  /** True when the flow waits for the world. */
  #instruct(flow: number, instruction: Instruction): boolean {
    switch (instruction.do) {
      case "io":
      case "delay":
        return true;
      case "fork":
        return instruction.joins;
      case "read":
        this.register(flow);
        this.reads.add(`variable ${instruction.variable}`);
        return false;
      case "refuse":
        this.reads.add(`variable ${instruction.variable}`);
        return false;
      case "write":
        this.register(flow);
        this.#react(instruction);
        return false;
      case "signal":
      case "abort":
      case "dispatch":
        this.#react(instruction);
        return false;
      case "arm":
      case "clear":
        this.writes.add("handle");
        return false;
      case "release":
        this.writes.add("lock");
        this.#after("acquire");
        return false;
      case "acquire":
        this.writes.add("lock");
        return false;
      case "wait":
        this.writes.add("latch");
        return false;
      case "listen":
        return false;
      default:
        // The simulator itself sees the rest.
        this.register(flow);
        return false;
    }
  }

  /** A flow that also runs in the drains of other sources shares its register with them. */
  register(flow: number): void {
    const own = this.#program.flows[flow];
    if (own !== undefined && !staysAtHome(own)) this.writes.add(`flow ${flow}`);
  }

  #react(reaction: Reaction | { readonly do: "dispatch" }): void {
    switch (reaction.do) {
      case "write":
        this.writes.add(`variable ${reaction.variable}`);
        return;
      case "signal":
        this.writes.add("latch");
        this.#after("wait");
        return;
      case "abort":
      case "dispatch":
        this.#heard(reaction.do);
    }
  }

  /** What listeners do is done at once. */
  #heard(what: "abort" | "dispatch"): void {
    if (this.#heardOf.has(what)) return;
    this.#heardOf.add(what);
    for (const { blocks } of this.#program.flows) {
      for (const instruction of blocks.flatMap(withWays)) {
        if (instruction.do !== "listen" || (instruction.to === "target") !== (what === "dispatch")) continue;
        this.#react(instruction.then);
      }
    }
  }

  /** Whoever waits goes on in the drain of whoever ends it. */
  #after(pause: "acquire" | "wait"): void {
    for (const [flow, { blocks }] of this.#program.flows.entries()) {
      for (const block of blocks) {
        for (const [at, instruction] of block.entries()) {
          if (instruction.do === pause) this.from({ flow, block, at: at + 1 });
        }
      }
    }
  }
}

/** True when everything of the flow runs in deliveries of its own source. */
function staysAtHome({ blocks }: Flow): boolean {
  return blocks.flat().every((instruction) => {
    switch (instruction.do) {
      case "acquire":
      case "wait":
        return false;
      case "io":
      case "delay":
        return instruction.asked.source === "inherited";
      case "fork":
        return instruction.ways.every(({ asked }) => asked.source === "inherited");
      default:
        return true;
    }
  });
}

function withWays(block: Block): Instruction[] {
  return block.flatMap((instruction): Instruction[] =>
    instruction.do === "fork" ? [instruction, ...instruction.ways.flatMap(({ then }) => then)] : [instruction],
  );
}
