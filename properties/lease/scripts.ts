/**
 * Scripts out of nowhere: what a hasty application might do to a lease scheduler, for fast-check to draw and to shrink.
 * Few places under many spellings, so that most calls meet; waits as long as the limits of the contract, so that they pass.
 */
import fc from "fast-check";
import type { Footprint } from "../../core/lease/state.ts";
import { streamSeed } from "../../sim/random.ts";
import type { LeasePolicyStep, LeaseScript, LeaseScriptStep } from "./script.ts";

/** A part of the contract that a scheduler may lack; scripts do without it. */
export type LeaseWord = "approvals" | "children" | "close";

export type LeaseScriptOptions = {
  /** Steps of a script at most. */
  readonly most: number;
  readonly without?: readonly LeaseWord[];
};

export type LeaseDraw = LeaseScriptOptions & { readonly seed: string; readonly count: number };

/** Whom an idea is about is counted back from the newest, so that it is mostly about somebody who is there. */
type Idea =
  | { readonly type: "request"; readonly owner: string; readonly footprint: Footprint; readonly how: How }
  | { readonly type: "approve" | "deny" | "release" | "abort" | "await"; readonly back: number }
  | { readonly type: "spawn"; readonly owner: string; readonly paths: readonly string[]; readonly again: boolean }
  | { readonly type: "finish"; readonly back: number }
  | { readonly type: "close"; readonly owner: string }
  | { readonly type: "wait"; readonly ms: number };
type How = "plainly" | "asking" | "aborted";
type Weighted = { readonly weight: number; readonly arbitrary: fc.Arbitrary<Idea> };

const place = fc.constantFrom(
  ...["src", "src/", "./src", "src/a.ts", "./src/a.ts", "src\\a.ts", "src//x/../a.ts", "SRC/A.ts"],
  ...["docs/b.md", "docs", "srcs"],
);
const outside = fc.constantFrom("../src", "/src", "C:\\src", "src/../..");
const path = fc.oneof({ weight: 19, arbitrary: place }, { weight: 1, arbitrary: outside });
const owner = fc.constantFrom("run", "run", "root");
const back = fc.nat({ max: 3 });
const footprint = fc.oneof(
  { weight: 8, arbitrary: path.map((path): Footprint => ({ kind: "file", path })) },
  { weight: 3, arbitrary: fc.constant<Footprint>({ kind: "workspace" }) },
  { weight: 1, arbitrary: fc.constant<Footprint>({ kind: "none" }) },
);
/** Around the limits, and halfway. */
const ms = fc.constantFrom(1, 1, 30_000, 59_999, 60_000, 300_000, 599_999, 600_000);

function asking(...how: readonly How[]): fc.Arbitrary<Idea> {
  return fc.record({ type: fc.constant("request"), owner, footprint, how: fc.constantFrom(...how) });
}

function about(...types: readonly Extract<Idea, { readonly back: number }>["type"][]): fc.Arbitrary<Idea> {
  return fc.record({ type: fc.constantFrom(...types), back });
}

const everyday: readonly Weighted[] = [
  { weight: 9, arbitrary: asking("plainly", "plainly", "plainly", "plainly", "aborted") },
  { weight: 6, arbitrary: about("release") },
  { weight: 3, arbitrary: about("abort") },
  { weight: 1, arbitrary: about("await") },
  { weight: 3, arbitrary: ms.map((ms): Idea => ({ type: "wait", ms })) },
];
const rest: Readonly<Record<LeaseWord, readonly Weighted[]>> = {
  approvals: [
    { weight: 4, arbitrary: asking("asking") },
    { weight: 4, arbitrary: about("approve", "approve", "deny") },
  ],
  children: [
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant("spawn"),
        owner,
        paths: fc.array(path, { minLength: 0, maxLength: 2, size: "max" }),
        again: fc.constantFrom(false, false, true),
      }),
    },
    { weight: 2, arbitrary: about("finish") },
  ],
  close: [{ weight: 2, arbitrary: owner.map((owner): Idea => ({ type: "close", owner })) }],
};

/** So often more scripts are drawn where some were equal. */
const roundsMost = 8;

/** Requests, releases, aborts and waits, and what is not left out. */
export function leaseScripts({ most, without = [] }: LeaseScriptOptions): fc.Arbitrary<LeaseScript> {
  const words: readonly LeaseWord[] = ["approvals", "children", "close"];
  const ideas = words.filter((word) => !without.includes(word)).flatMap((word) => rest[word]);
  return fc.array(fc.oneof(...everyday, ...ideas), { minLength: 1, maxLength: most, size: "max" }).map(toScript);
}

/** Small limits and every kind of queue, to stand first in a script. */
export const leasePolicies: fc.Arbitrary<LeasePolicyStep> = fc.record({
  type: fc.constant("policy"),
  waitLimitMs: fc.constantFrom(1, 60_000, 600_000),
  stuckLimitMs: fc.constantFrom(1, 60_000, 600_000),
  caseSensitive: fc.boolean(),
  conflict: fc.constantFrom("queue", "queue", "queue", "refuse"),
  queue: fc.constantFrom("arrival", "per-path"),
});

/** The same for the same seed, and never two that are equal; fewer than `count` where there are not so many. */
export function drawLeaseScripts({ seed, count, ...options }: LeaseDraw): readonly LeaseScript[] {
  const [start] = streamSeed(`${seed}/lease-scripts`, "world");
  const drawn = new Map<string, LeaseScript>();
  for (let round = 0; round < roundsMost && drawn.size < count; round++) {
    for (const script of fc.sample(leaseScripts(options), { seed: start + round, numRuns: count })) {
      const key = JSON.stringify(script);
      if (script.length > 0 && drawn.size < count && !drawn.has(key)) drawn.set(key, script);
    }
  }
  return [...drawn.values()];
}

/** The same with every other call and child in another one's hands, side by side with the user. */
export function sideBySide(script: LeaseScript): LeaseScript {
  let flow = "user";
  return script.flatMap((step): LeaseScript => {
    const about = "call" in step ? step.call : "child" in step ? step.child : "name" in step ? step.name : "";
    const next = /[02468]$/.test(about) ? "other" : "user";
    if (next === flow || step.type === "policy") return [step];
    flow = next;
    return [{ type: "flow", name: next }, step];
  });
}

/** Gives ids in the order of asking: c1, c2 for calls, k1, k2 for children. What is about nobody falls away. */
function toScript(ideas: readonly Idea[]): LeaseScript {
  const calls: string[] = [];
  const children: string[] = [];
  return ideas.flatMap((idea): readonly LeaseScriptStep[] => {
    switch (idea.type) {
      case "request": {
        const call = `c${calls.length + 1}`;
        calls.push(call);
        const { type, owner, footprint, how } = idea;
        return [{ type, call, owner, footprint, needsApproval: how === "asking", aborted: how === "aborted" }];
      }
      case "spawn": {
        const { type, owner, paths, again } = idea;
        const child = again ? (children.at(-1) ?? "k1") : `k${children.length + 1}`;
        if (!children.includes(child)) children.push(child);
        return [{ type, child, owner, paths: [...paths] }];
      }
      case "finish": {
        const child = children.at(-1 - idea.back);
        return child === undefined ? [] : [{ type: "finish", child }];
      }
      case "close":
      case "wait":
        return [idea];
      default: {
        const call = calls.at(-1 - idea.back);
        if (call === undefined) return [];
        return [idea.type === "await" ? { type: "await", name: call } : { type: idea.type, call }];
      }
    }
  });
}
