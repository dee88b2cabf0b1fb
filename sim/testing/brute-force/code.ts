/** Makes a program into a scenario: real async code over real shared state. */
import { scenario, type Touches, type World } from "../../scenario.ts";
import { Declared, type Site } from "./declared.ts";
import {
  type Act,
  type Asked,
  type Block,
  type Pause,
  type Program,
  type Reaction,
  variablesMost,
  type Way,
} from "./program.ts";
import type { Subject } from "./told-all.ts";

/** Makes a scenario of the program, and lets its last state be seen. Unless told not to, it also notes it at the end. */
export function subjectOf(program: Program, notesEnd = true): Subject {
  const declared = new Declared(program);
  let last: Code | null = null;
  return {
    scenario: scenario("program", (world) => {
      last = new Code(program, declared, world);
      last.begin();
      if (notesEnd) last.noteEnd();
    }),
    state: () => last?.state() ?? "",
  };
}

/** Noted when nothing is left to deliver, with everything that the program has come to. */
export const finalNote = "final state";
const modulus = 997;

class Code {
  readonly #program: Program;
  readonly #declared: Declared;
  readonly #world: World;
  readonly #variables = Array.from({ length: variablesMost }, (_, at) => at + 1);
  readonly #registers: number[];
  readonly #controller = new AbortController();
  readonly #target = new EventTarget();
  /** The flow that has the lock, and who waits for it. */
  #holder: number | null = null;
  readonly #queue: { readonly flow: number; readonly go: () => void }[] = [];
  #signalled = false;
  readonly #waiting: (() => void)[] = [];
  #clear: (() => void) | null = null;

  constructor(program: Program, declared: Declared, world: World) {
    this.#program = program;
    this.#declared = declared;
    this.#world = world;
    this.#registers = program.flows.map((_, at) => at + 11);
  }

  begin(): void {
    const { flows, conditions, lazySignal } = this.#program;
    const world = this.#world;
    if (!lazySignal) void this.#controller.signal;
    for (const { when, variable, remainder } of conditions) {
      const holds = (): boolean | string => {
        const value = this.#variable(variable);
        return value % 5 !== remainder || `variable ${variable} is ${value}`;
      };
      if (when === "always") world.always(`always ${variable}`, holds);
      else world.atQuiescence(`quiescence ${variable}`, holds);
    }
    for (const [flow, { kind, declares, blocks }] of flows.entries()) {
      const optionsOf = (block: Block): { touches?: Touches } =>
        declares ? { touches: this.#declared.from({ flow, block, at: 0 }) } : {};
      if (kind === "events") {
        const steps = blocks.map(
          (block, at) => [`step ${at}`, () => this.#run(flow, block), optionsOf(block)] as const,
        );
        world.events(`f${flow}`, steps);
      } else {
        for (const block of blocks.slice(0, 1)) {
          world.actor(`f${flow}`, () => this.#run(flow, block), optionsOf(block));
        }
      }
    }
  }

  noteEnd(): void {
    this.#world.atQuiescence("the end is noted", () => {
      this.#world.note(finalNote, this.state());
      return true;
    });
  }

  state(): string {
    const { aborted, reason } = this.#controller.signal;
    return JSON.stringify({
      variables: this.#variables,
      registers: this.#registers,
      lock: [this.#holder, this.#queue.map(({ flow }) => flow)],
      latch: [this.#signalled, this.#waiting.length],
      aborted: [aborted, aborted ? String(reason) : ""],
      armed: this.#clear !== null,
    });
  }

  async #run(flow: number, block: Block): Promise<void> {
    for (const [at, instruction] of block.entries()) {
      switch (instruction.do) {
        case "io":
        case "delay":
        case "fork":
        case "acquire":
        case "wait":
          await this.#pause(instruction, { flow, block, at });
          break;
        default:
          this.#act(flow, instruction);
      }
    }
  }

  #pause(pause: Pause, site: Site): Promise<unknown> | undefined {
    const { flow } = site;
    switch (pause.do) {
      case "io":
      case "delay":
        return this.#ask(pause.do, flow, pause.asked, this.#declared.arrival(pause.asked, site), () => undefined);
      case "fork": {
        const [one, two] = pause.ways.map((way) => this.#way(way, pause.joins, site));
        return pause.joins ? Promise.all([one, two]) : undefined;
      }
      case "acquire":
        if (this.#holder === null) {
          this.#holder = flow;
          return undefined;
        }
        return new Promise<void>((go) => this.#queue.push({ flow, go }));
      case "wait":
        return this.#signalled ? undefined : new Promise<void>((go) => this.#waiting.push(go));
    }
  }

  #way(way: Way, joins: boolean, site: Site): Promise<void> {
    const { flow } = site;
    return this.#ask("io", flow, way.asked, this.#declared.way(way, joins, site), () => {
      for (const act of way.then) this.#act(flow, act);
    });
  }

  async #ask(kind: "io" | "delay", flow: number, asked: Asked, touches: Touches, then: () => void): Promise<void> {
    const { source, label, declares, may } = asked;
    const prefix = { inherited: "", helper: `h${flow}:`, shared: "shared:" }[source];
    const options = declares ? { touches } : {};
    try {
      if (kind === "delay") await this.#world.delay(`${prefix}${label}`, options);
      else
        await this.#world.io(`${prefix}${label}`, () => undefined, {
          ...options,
          mayFail: may === "fail",
          mayHang: may === "hang",
        });
    } catch {
      this.#mix(flow, 13);
    }
    then();
  }

  #act(flow: number, act: Act): void {
    switch (act.do) {
      case "read":
        this.#mix(flow, this.#variable(act.variable));
        return;
      case "write":
        this.#write(act.variable, this.#registers[flow] ?? 0);
        return;
      case "note":
        this.#world.note(`note ${act.event}`, this.#registers[flow]);
        return;
      case "draw":
        this.#mix(flow, Math.floor(this.#draw(act.from) * modulus));
        return;
      case "clock":
        this.#mix(flow, (act.of === "Date" ? Date.now() : this.#world.nowMs) % modulus);
        return;
      case "pick":
        this.#mix(
          flow,
          this.#world.choose(
            "pick",
            Array.from({ length: act.of }, (_, at) => at),
          ),
        );
        return;
      case "release": {
        if (this.#holder !== flow) return;
        const next = this.#queue.shift();
        this.#holder = next?.flow ?? null;
        next?.go();
        return;
      }
      case "look":
        this.#mix(flow, this.#controller.signal.aborted ? 17 : 19);
        return;
      case "listen":
        this.#targetOf(act.to).addEventListener(act.to === "target" ? "x" : "abort", () => {
          this.#react(act.then, 23 + flow);
        });
        return;
      case "dispatch":
        this.#target.dispatchEvent(new Event("x"));
        return;
      case "arm":
        this.#clear = armed(act.afterMs, act.times, () => this.#react(act.then, 29 + flow));
        return;
      case "clear":
        this.#clear?.();
        this.#clear = null;
        return;
      case "refuse":
        if (this.#variable(act.variable) % 3 === act.remainder) throw new Error(`flow ${flow} refuses`);
        return;
      default:
        this.#react(act, flow);
    }
  }

  #react(reaction: Reaction, by: number): void {
    switch (reaction.do) {
      case "write":
        this.#write(reaction.variable, by);
        return;
      case "signal":
        this.#signalled = true;
        for (const go of this.#waiting.splice(0)) go();
        return;
      case "abort":
        this.#controller.abort(`by ${by}`);
    }
  }

  #targetOf(to: "signal" | "follower" | "target"): EventTarget {
    if (to === "target") return this.#target;
    return to === "signal" ? this.#controller.signal : AbortSignal.any([this.#controller.signal]);
  }

  #draw(from: "world" | "math" | "crypto"): number {
    if (from === "world") return this.#world.random();
    if (from === "math") return Math.random();
    return (globalThis.crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
  }

  #variable(at: number): number {
    return this.#variables[at] ?? 0;
  }

  #write(variable: number, by: number): void {
    this.#variables[variable] = mixed(this.#variable(variable), by);
  }

  #mix(flow: number, value: number): void {
    this.#registers[flow] = mixed(this.#registers[flow] ?? 0, value);
  }
}

/** Starts a timer, an interval that ends itself, or immediates; returns what takes them back. */
function armed(afterMs: number | null, times: number, react: () => void): () => void {
  if (afterMs === null) {
    const immediates = Array.from({ length: times }, () => setImmediate(react));
    return () => {
      for (const immediate of immediates) clearImmediate(immediate);
    };
  }
  if (times === 1) {
    const timer = setTimeout(react, afterMs);
    return () => clearTimeout(timer);
  }
  let left = times;
  const interval = setInterval(() => {
    if (--left === 0) clearInterval(interval);
    react();
  }, afterMs);
  return () => clearInterval(interval);
}

/** Mixes so that the order of two can be told from the outcome. */
function mixed(one: number, other: number): number {
  return (one * 31 + other * 7 + 1) % modulus;
}
