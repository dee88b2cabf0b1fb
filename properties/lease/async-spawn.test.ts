/** A scheduler may take its time to say whether a child is spawned: until then it may be there, or not. */
import { describe, expect, test } from "vitest";
import { defaultPolicy } from "../../core/lease/state.ts";
import { search } from "../../sim/search.ts";
import type { CheckOptions } from "../kit/check-options.ts";
import { checkLeaseScheduler, leaseSchedulerUnderTest, type MakeLeaseScheduler } from "./check-lease-scheduler.ts";
import { keptLeaseScripts } from "./kept-scripts.ts";
import { needsOf } from "./needs.ts";
import type { LeaseSpawn } from "./ports.ts";
import { ByTheBook } from "./subjects/by-the-book.ts";

type Spawn = (leases: ByTheBook, child: LeaseSpawn) => unknown;

const jobs = async (count: number): Promise<void> => {
  for (let job = 0; job < count; job++) await null;
};
const timer = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** When the decision falls, and when the caller hears of it. */
const ways: Readonly<Record<string, Spawn>> = {
  "decides at once": async (leases, child) => leases.spawn(child),
  "decides at once, and is slow to say so": async (leases, child) => {
    const claim = leases.spawn(child);
    await jobs(6);
    return claim;
  },
  "decides some jobs later": async (leases, child) => {
    await jobs(6);
    return leases.spawn(child);
  },
  "decides in a delivery of its own": async (leases, child) => {
    await timer(1);
    return leases.spawn(child);
  },
  "decides between two deliveries of its own": async (leases, child) => {
    await timer(1);
    const claim = leases.spawn(child);
    await timer(1);
    return claim;
  },
  "decides half a minute later": async (leases, child) => {
    await timer(30_000);
    return leases.spawn(child);
  },
};

function madeWith(spawn: Spawn): MakeLeaseScheduler {
  return (ports) => {
    const leases = new ByTheBook(ports, defaultPolicy);
    return {
      acquire: (call) => leases.acquire(call),
      spawn: (child) => spawn(leases, child),
      finish: (child) => leases.finish(child),
      close: (owner) => leases.close(owner),
    };
  };
}

async function found(make: MakeLeaseScheduler, options: CheckOptions): Promise<readonly string[]> {
  const { broken, problems } = await checkLeaseScheduler(make, options);
  const told = broken.map(({ invariant, violation: { detail } }) => `${invariant}: ${detail}`);
  return [...told, ...problems.map(({ kind, detail }) => `${kind}: ${detail}`)];
}

/**
 * Each way at one level or the other, on every second kept script with a child in it; at both levels, on all scripts, and in
 * more orders with `MICROLOOM_SPAWNS=all npx vitest run properties/lease/async-spawn.test.ts`.
 */
const asksForAll = process.env.MICROLOOM_SPAWNS === "all";
const levels = ["spec", "jitter"] as const;
const withChildren = [...keptLeaseScripts.values()].filter((script) => needsOf(script).includes("children"));
const all: readonly CheckOptions[] = levels.map((level) => ({ level, executions: 1_500, scripts: 150 }));

function checksOf(way: number): readonly CheckOptions[] {
  if (asksForAll) return all;
  const scripts = withChildren.filter((_, at) => at % 2 === way % 2);
  return scripts.map((script, at) => ({ level: (way + at) % 4 < 2 ? "spec" : "jitter", executions: 4, script }));
}

describe("a spawn that returns a promise", () => {
  for (const [at, [way, spawn]] of Object.entries(ways).entries()) {
    test(`${way}: nothing is broken`, async () => {
      for (const check of checksOf(at)) {
        expect(await found(madeWith(spawn), { ...check, seed: "async" })).toEqual([]);
      }
    });
  }
});

/** The kept script that shows it, and what is broken. */
const wrongOnes: Readonly<Record<string, readonly [string, string, Spawn]>> = {
  "looks first, and claims later without looking again": [
    "in flows: forgets-intents",
    "lease/parent-child-exclusive",
    async (leases, child) => {
      leases.spawn(child).finish();
      await timer(1);
      try {
        return leases.spawn(child);
      } catch {
        return {};
      }
    },
  ],
  "claims path by path, and gives back what it has when one is taken": [
    "what a child is about to be refused is free",
    "lease/spawn-all-or-nothing",
    async (leases, child) => {
      const half = leases.spawn({ ...child, paths: child.paths.slice(0, 1) });
      await timer(1);
      half.finish();
      return leases.spawn(child);
    },
  ],
  "claims what is free of what it refuses": [
    "what a refused child wanted is free",
    "lease/spawn-all-or-nothing",
    (leases, child) => {
      try {
        return leases.spawn(child);
      } catch (error) {
        for (const path of child.paths) claimIfFree(leases, { ...child, paths: [path] });
        throw error;
      }
    },
  ],
  "claims what is free of what it refuses, and says so in its own words": [
    "what a refused child wanted is free",
    "lease/spawn-all-or-nothing",
    async (leases, child) => {
      try {
        return leases.spawn(child);
      } catch {
        for (const path of child.paths) claimIfFree(leases, { ...child, paths: [path] });
        throw new Error("the folder is taken");
      }
    },
  ],
};

function claimIfFree(leases: ByTheBook, child: LeaseSpawn): void {
  try {
    leases.spawn(child);
  } catch {
    // It is not free.
  }
}

describe("a spawn that is wrong", () => {
  for (const [way, [name, invariant, spawn]] of Object.entries(wrongOnes)) {
    test(`${way}: found`, async () => {
      const scenario = leaseSchedulerUnderTest(madeWith(spawn));
      const result = await search(scenario, { executions: 60, script: keptLeaseScripts.get(name) ?? [] });
      expect(result.outcome === "violated" && result.violation.name).toBe(invariant);
    });
  }
});
