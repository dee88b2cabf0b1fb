/**
 * Random programs whose deliveries say what they touch, correctly: flows that ask for I/O, timers and immediates, read and
 * write shared variables, clear each other's timers, abort and listen, choose data, fail. What they do next depends on
 * what they find, so that a missed order is a missed delivery as often as not.
 */
import fc from "fast-check";
import { conflict } from "../dependence.ts";
import type { Execution } from "../execution.ts";
import { type Scenario, scenario, type Touches, type World } from "../scenario.ts";

type Ask = {
  readonly kind: "io" | "io" | "timer" | "immediate";
  readonly label: string;
  readonly ms: number;
  readonly declared: boolean;
  readonly mayFail: boolean;
  readonly then: readonly Op[];
};
type Op =
  | { readonly op: "read" | "write" | "abort" | "listen" | "clear" | "note" | "choose"; readonly on: number }
  | { readonly op: "ask"; readonly ask: Ask }
  | { readonly op: "unless"; readonly on: number; readonly ask: Ask }
  | { readonly op: "unlessAborted"; readonly on: number; readonly ask: Ask };

export type TouchingProgram = {
  readonly flows: readonly {
    readonly kind: "actor" | "events";
    readonly steps: readonly { readonly declared: boolean; readonly then: readonly Op[] }[];
  }[];
  readonly overtakes: number;
};

const on = fc.integer({ min: 0, max: 1 });

/** `plain`: nothing but declared I/O and event steps. */
export function touchingPrograms(plain: boolean, maxFlows: number): fc.Arbitrary<TouchingProgram> {
  const declared = plain
    ? fc.constant(true)
    : fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false));
  const rare = plain ? fc.constant(false) : fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true));
  const { ask } = fc.letrec<{ ask: Ask; ops: readonly Op[] }>((tie) => ({
    ops: fc.array(
      fc.oneof(
        { depthSize: "small", maxDepth: 3, withCrossShrink: true },
        fc.record({
          op: plain
            ? fc.constantFrom("read", "write", "note")
            : fc.constantFrom("read", "write", "write", "abort", "listen", "clear", "note", "choose"),
          on,
        }),
        fc.record({ op: fc.constant("ask"), ask: tie("ask") }),
        fc.record({ op: fc.constantFrom("unless", "unlessAborted"), on, ask: tie("ask") }),
      ) as fc.Arbitrary<Op>,
      { maxLength: 2 },
    ),
    ask: fc.record({
      kind: plain ? fc.constant("io" as const) : fc.constantFrom("io", "io", "io", "timer", "immediate"),
      label: fc.constantFrom("p", "q", "net:p"),
      ms: fc.constantFrom(1, 2, 5),
      declared,
      mayFail: rare,
      then: tie("ops"),
    }),
  }));
  const ops = fc.array(
    fc.oneof(
      fc.record({ op: fc.constant("ask" as const), ask }),
      fc.record({ op: fc.constantFrom("read" as const, "write" as const, plain ? "write" : ("clear" as const)), on }),
    ) as fc.Arbitrary<Op>,
    { maxLength: 2 },
  );
  const step = fc.record({ declared, then: ops });
  const flow = fc.record({
    kind: fc.constantFrom("actor" as const, "events" as const),
    steps: fc.array(step, { minLength: 1, maxLength: 2 }),
  });
  return fc.record({
    flows: fc.array(flow, { minLength: 2, maxLength: maxFlows }),
    overtakes: fc.integer({ min: 0, max: 1 }),
  });
}

/** So many programs, the same for the same seed. */
export function smallPrograms(count: number, seed: number): readonly TouchingProgram[] {
  return fc.sample(touchingPrograms(false, 2), { numRuns: count, seed });
}

export function touchingScenario(program: TouchingProgram): Scenario {
  const choices = numberChoices(
    program.flows.flatMap(({ steps }) => steps.flatMap(({ then }) => then)),
    new Map(),
  );
  return scenario("a program that says what it touches", (world) => {
    const state: State = {
      world,
      variables: [0, 0],
      handles: [],
      controllers: [new AbortController(), new AbortController()],
      choices,
    };
    program.flows.forEach(({ kind, steps }, index) => {
      if (kind === "actor") {
        const all = steps.flatMap(({ then }) => then);
        world.actor(
          `f${index}`,
          () => perform(state, all),
          optionsOf(
            steps.every((s) => s.declared),
            all,
          ),
        );
      } else {
        world.events(
          `f${index}`,
          steps.map(({ declared, then }, at) => [`s${at}`, () => perform(state, then), optionsOf(declared, then)]),
        );
      }
    });
  });
}

type State = {
  readonly world: World;
  readonly variables: number[];
  readonly handles: (() => void)[];
  readonly controllers: readonly AbortController[];
  /** Choices get a note of their own each: notes of one name would depend on each other. */
  readonly choices: Map<Op, number>;
};

function perform(state: State, ops: readonly Op[]): void {
  for (const op of ops) performOne(state, op);
}

function performOne(state: State, op: Op): void {
  const { world, variables, handles, controllers } = state;
  switch (op.op) {
    case "read":
      return;
    case "write":
      variables[op.on] = (variables[op.on] ?? 0) + 1;
      return;
    case "abort":
      controllers[op.on]?.abort();
      return;
    case "listen":
      controllers[op.on]?.signal.addEventListener("abort", () => world.note(`aborted ${op.on}`));
      return;
    case "clear":
      handles[op.on]?.();
      return;
    case "note":
      world.note(`note ${op.on}`);
      return;
    case "choose":
      choose(state, op);
      return;
    case "ask":
      askFor(state, op.ask);
      return;
    case "unless":
      if ((variables[op.on] ?? 0) % 2 === 0) askFor(state, op.ask);
      return;
    case "unlessAborted":
      if (controllers[op.on]?.signal.aborted !== true) askFor(state, op.ask);
  }
}

function choose({ world, variables, choices }: State, op: Extract<Op, { on: number }>): void {
  const chosen = world.choose("data", [0, 1]);
  variables[op.on] = (variables[op.on] ?? 0) + chosen;
  world.note(`chose ${choices.get(op)}`, chosen);
}

/** Numbers all choices of a program, wherever they stand. */
function numberChoices(ops: readonly Op[], into: Map<Op, number>): Map<Op, number> {
  for (const op of ops) {
    if (op.op === "choose") into.set(op, into.size);
    if ("ask" in op) numberChoices(op.ask.then, into);
  }
  return into;
}

function askFor(state: State, { kind, label, ms, declared, mayFail, then }: Ask): void {
  const { world, handles } = state;
  const go = (): void => perform(state, then);
  if (kind === "timer") {
    const handle = setTimeout(go, ms);
    handles[ms % 2] = () => clearTimeout(handle);
  } else if (kind === "immediate") {
    const handle = setImmediate(go);
    handles[ms % 2] = () => clearImmediate(handle);
  } else world.io(label, () => undefined, { ...optionsOf(declared, then), mayFail }).then(go, () => undefined);
}

function optionsOf(declared: boolean, ops: readonly Op[]): { readonly touches?: Touches } {
  if (!declared) return {};
  const reads: string[] = [];
  const writes: string[] = [];
  for (const op of ops) {
    if (op.op === "read" || op.op === "unless") reads.push(`v${op.on}`);
    if (op.op === "write" || op.op === "choose") writes.push(`v${op.on}`);
    if (op.op === "clear") reads.push(`h${op.on}`);
    if (op.op === "ask" || op.op === "unless" || op.op === "unlessAborted") {
      if (op.ask.kind === "timer" || op.ask.kind === "immediate") writes.push(`h${op.ask.ms % 2}`);
    }
  }
  return { touches: { reads, writes } };
}

/** What all executions of one class have in common, and those of no other: who ran, with what, after whom. */
export function classOf({ steps }: Execution): string {
  const pasts = new Map<string, Set<string>>();
  const lines: string[] = [];
  steps.forEach((step, at) => {
    const past = new Set<string>();
    for (const before of steps.slice(0, at)) {
      if (before.name !== step.askedBy && !conflict(before, step)) continue;
      past.add(before.name);
      for (const name of pasts.get(before.name) ?? []) past.add(name);
    }
    pasts.set(step.name, past);
    lines.push(`${step.name} ${step.fault} ${JSON.stringify(step.notes)} after ${[...past].sort().join(",")}`);
  });
  return lines.sort().join("\n");
}
