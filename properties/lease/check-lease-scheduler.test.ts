import { describe, expect, test } from "vitest";
import { createLeaseScheduler } from "../../core/lease/host.ts";
import { defaultPolicy } from "../../core/lease/state.ts";
import { replay } from "../../repro/replay.ts";
import { ExploreOptionsError } from "../../sim/bounds.ts";
import type { CheckOptions } from "../kit/check-options.ts";
import type { CheckReport } from "../kit/check-report.ts";
import { checkLeaseScheduler, leaseSchedulerUnderTest, type MakeLeaseScheduler } from "./check-lease-scheduler.ts";
import { leasePromises } from "./family.ts";
import { leaseGoals } from "./goals.ts";
import { sweptLeaseScripts } from "./kept-scripts.ts";
import type { LeasePorts, LeaseRequest, LeaseSchedulerUnderTest, LeaseSpawn } from "./ports.ts";
import type { LeaseScript } from "./script.ts";
import { about, close, file, finish, request, spawn, workspace } from "./situations.ts";
import { wrongSubjects } from "./subjects/all.ts";
import { ByTheBook } from "./subjects/by-the-book.ts";

const few: CheckOptions = { executions: 40, scripts: 8 };
const edit = file("src/a.ts");

/** A stranger's factory returns what it likes. */
function strangers(make: (ports: LeasePorts) => unknown): MakeLeaseScheduler {
  const untyped: object = make;
  return untyped as MakeLeaseScheduler;
}

function checkOf(make: (ports: LeasePorts) => unknown, options: CheckOptions = {}): Promise<CheckReport> {
  return checkLeaseScheduler(strangers(make), options);
}

const byTheBook = (ports: LeasePorts): ByTheBook => new ByTheBook(ports, defaultPolicy);

function wrong(name: string): MakeLeaseScheduler {
  const make = wrongSubjects.get(name);
  if (make === undefined) throw new Error(`There is no subject "${name}"`);
  return (ports) => make(ports, defaultPolicy);
}

/** The methods of a scheduler by the book, each with its scheduler, and others in the place of some of them. */
function but(
  ports: LeasePorts,
  methods: Readonly<Record<string, unknown>>,
  leases: ByTheBook = byTheBook(ports),
): unknown {
  return {
    acquire: (call: LeaseRequest) => leases.acquire(call),
    spawn: (child: LeaseSpawn) => leases.spawn(child),
    finish: (child: string) => leases.finish(child),
    close: (owner: string) => leases.close(owner),
    ...methods,
  };
}

describe("checkLeaseScheduler()", () => {
  test("finds nothing in the core's scheduler, and brings it wherever a goal says", async () => {
    const report = await checkLeaseScheduler((ports) => createLeaseScheduler(ports), {
      executions: 200,
      scripts: 40,
      seed: "core",
    });
    expect(report).toEqual({
      ...{ held: leasePromises, broken: [], skipped: [], notReached: [], executions: 200, problems: [] },
    });
  });

  test("finds nothing in a scheduler by the book at level jitter", async () => {
    const report = await checkLeaseScheduler(byTheBook, { executions: 80, scripts: 40, level: "jitter" });
    expect(report).toMatchObject({ held: leasePromises, broken: [], problems: [] });
  });

  test("names what a scheduler breaks, with a repro that replays, and what it keeps", async () => {
    const make = wrong("intends-after-approval");
    const report = await checkLeaseScheduler(make, few);
    const [first] = report.broken;
    expect(first).toMatchObject({ invariant: "lease/parent-child-exclusive", verdict: "bug" });
    expect(report.problems).toEqual([]);
    const broken = new Set(report.broken.map(({ invariant }) => invariant));
    expect(report.held).toEqual(leasePromises.filter((name) => !broken.has(name)));
    for (const { invariant, repro } of report.broken) {
      const failed = await replay(leaseSchedulerUnderTest(make), repro);
      expect(failed).toMatchObject({ outcome: "violated", violation: { name: invariant } });
      const right = leaseSchedulerUnderTest((ports) => createLeaseScheduler(ports));
      expect((await replay(right, repro, { mode: "best-effort" })).violation).toBeUndefined();
    }
  });

  test("puts a stop at every place of a story", async () => {
    const script = [...sweptLeaseScripts.keys()].find((one) => one[2]?.type === "close");
    if (script === undefined) throw new Error("There is no such story");
    const { broken } = await checkLeaseScheduler(wrong("keeps-waiters-on-close"), { executions: 8, script });
    const found = broken.map(({ invariant, repro }) => `${invariant} by ${repro.foundBy.strategy}`);
    expect(found).toContain("lease/close-leaves-nothing by placement");
  });

  test("gives the same bytes for the same seed", async () => {
    const run = () => checkLeaseScheduler(wrong("forgets-intents"), { executions: 30, scripts: 6, seed: "7" });
    expect(JSON.stringify(await run())).toBe(JSON.stringify(await run()));
  });

  test("leaves out what the scheduler lacks, or is not to be asked for, and says so", async () => {
    const given = new Set<string>();
    const make: MakeLeaseScheduler = (ports) => {
      const leases = byTheBook(ports);
      return {
        acquire: (call) => leases.acquire(call),
        spawn: (child) => {
          given.add("spawn");
          return leases.spawn(child);
        },
        finish: (child) => leases.finish(child),
      };
    };
    const report = await checkLeaseScheduler(make, { executions: 80, scripts: 40, without: ["children"] });
    expect(report).toMatchObject({ broken: [], problems: [] });
    expect(report.skipped).toEqual([
      { invariant: "lease/parent-child-exclusive", because: '"children" is left out' },
      { invariant: "lease/spawn-all-or-nothing", because: '"children" is left out' },
      { invariant: "lease/close-leaves-nothing", because: "the subject has no close()" },
    ]);
    expect(given).toEqual(new Set());
    expect(report.held).toEqual(
      leasePromises.filter((name) => !report.skipped.some(({ invariant }) => invariant === name)),
    );
  });

  test("asks a lock, which has no children, for no methods that are about them", async () => {
    const lock = (ports: LeasePorts) => but(ports, { spawn: undefined, finish: undefined });
    const options: CheckOptions = { executions: 80, scripts: 40, without: ["children"] };
    const report = await checkOf(lock, options);
    expect(report).toMatchObject({ broken: [], problems: [] });
    expect(report.skipped.map(({ invariant }) => invariant)).toEqual([
      "lease/parent-child-exclusive",
      "lease/spawn-all-or-nothing",
    ]);
    const run = checkOf(lock, { ...options, script: [spawn("k1", "lib")] });
    await expect(run).rejects.toThrow("it needs spawn(), and the lease scheduler has no method of that name");
  });

  test("replays a repro of a lock, and nobody need say again what it lacks", async () => {
    const acquire = async () => ({ release: () => undefined });
    const open = (ports: LeasePorts) => but(ports, { spawn: undefined, finish: undefined, acquire });
    const script = [request("c1", edit), request("c2", edit)];
    const [broken] = (await checkOf(open, { executions: 20, script, without: ["children"] })).broken;
    expect(broken?.invariant).toBe("lease/single-writer");
    const replayed = broken && (await replay(leaseSchedulerUnderTest(strangers(open)), broken.repro));
    expect(replayed?.violation?.name).toBe("lease/single-writer");
  });

  test("refuses a script that needs what the scheduler has not", async () => {
    const run = checkOf((ports) => but(ports, { close: undefined }), { executions: 5, script: [close("run")] });
    await expect(run).rejects.toThrow("it needs close(), and the lease scheduler has no method of that name");
  });

  test("says which goals were never reached", async () => {
    const { notReached } = await checkLeaseScheduler(byTheBook, { executions: 5, script: [request("c1", edit)] });
    expect(notReached).toEqual(leaseGoals.map(({ goal }) => goal.name));
  });

  test("judges a scheduler with limits of its own by a script that begins with them", async () => {
    const limits = { ...defaultPolicy, waitLimitMs: 5 };
    const script: LeaseScript = [{ type: "policy", waitLimitMs: 5 }, request("c1", edit), request("c2", workspace)];
    const make: MakeLeaseScheduler = (ports) => new ByTheBook(ports, limits);
    const options = { executions: 10, script };
    expect(await checkLeaseScheduler(make, options)).toMatchObject({ broken: [], problems: [] });
    const late = await checkLeaseScheduler(byTheBook, options);
    expect(late.broken.map(({ invariant }) => invariant)).toEqual(["lease/bounded-wait"]);
  });

  test("awaits a promise of the factory before the first command, and takes away what was made", async () => {
    let [made, unmade] = [0, 0];
    const make = async (ports: LeasePorts): Promise<LeaseSchedulerUnderTest> => {
      await new Promise((resolve) => setImmediate(resolve));
      expect(await ports.approve("nobody's")).toBe(true);
      made++;
      return byTheBook(ports);
    };
    const unmake = (subject: unknown): void => {
      expect(subject).toBeInstanceOf(ByTheBook);
      unmade++;
    };
    const report = await checkLeaseScheduler(make, { executions: 20, scripts: 3, unmake });
    expect(report).toMatchObject({ broken: [], problems: [] });
    expect(made).toBeGreaterThanOrEqual(report.executions);
    expect(unmade).toBe(made);
  });

  test("refuses options that cannot be meant", async () => {
    const wrongOnes: readonly (readonly [object, string])[] = [
      [{ scripts: 0 }, "expected scripts to be a whole number from 1 to 10000, found 0"],
      [{ without: ["child"] }, "expected every word of without to be one of next-step, queue, inject"],
      [{ policy: { parking: "all" } }, "expected no policy, which is an agent's, found policy.parking"],
      [{ policy: { waitLimitMs: 1 } }, 'found "waitLimitMs"'],
      [{ script: [{ type: "lock" }] }, "Cannot explore"],
      [{ script: [{ type: "together", label: "both", steps: [{ type: "wait", ms: 1 }] }] }, "Cannot explore"],
    ];
    for (const [options, text] of wrongOnes) {
      const refused = checkOf(byTheBook, options);
      await expect(refused).rejects.toThrow(ExploreOptionsError);
      await expect(refused).rejects.toThrow(text);
    }
  });
});

describe("checkLeaseScheduler() tells a problem for what it is", () => {
  const boom = () => {
    throw new Error("boom");
  };
  const never = () => new Promise<never>(() => undefined);
  const grants = (grant: unknown) => (ports: LeasePorts) => but(ports, { acquire: async () => grant });

  const atOnce: readonly (readonly [string, (ports: LeasePorts) => unknown, string, string])[] = [
    ["a factory that throws", boom, "factory-threw", "the factory threw: Error: boom"],
    ["a factory that rejects", () => Promise.reject(new Error("boom")), "factory-threw", "rejected: Error: boom"],
    [
      "nothing",
      () => undefined,
      "bad-shape",
      "return a lease scheduler with acquire(), spawn(), finish(), found undefined",
    ],
    [
      "a lock",
      (ports) => but(ports, { spawn: undefined, finish: undefined }),
      "bad-shape",
      'finish to be a method of the lease scheduler, found undefined; leave out "children" (without)',
    ],
    ["no spawn", (ports) => but(ports, { spawn: 1 }), "bad-shape", "expected spawn to be a method"],
    ["a close that is no method", (ports) => but(ports, { close: true }), "bad-shape", "or to be missing, found true"],
  ];
  test.each(atOnce)("%s", async (_, make, kind, detail) => {
    const report = await checkOf(make, few);
    expect(report).toMatchObject({ held: [], broken: [], executions: 0, problems: [{ kind }] });
    expect(report.problems[0]?.detail).toContain(detail);
  });

  const one = [request("c1", edit)];
  const released: LeaseScript = [...one, about("release", "c1")];
  const child: LeaseScript = [spawn("k1", "lib"), finish("k1")];
  const inUse: readonly (readonly [string, (ports: LeasePorts) => unknown, LeaseScript, string, string])[] = [
    [
      "acquire returns nothing",
      (ports) => but(ports, { acquire: () => undefined }),
      one,
      "bad-shape",
      "expected acquire() to return a promise, found undefined",
    ],
    ["acquire throws", (ports) => but(ports, { acquire: boom }), one, "bad-shape", "it threw: Error: boom"],
    ["a grant of nothing", grants(undefined), one, "bad-shape", "resolve with { release() }, found undefined"],
    ["a grant without release", grants({ fence: 1 }), one, "bad-shape", "found release as undefined"],
    [
      "a fence that is no number",
      grants({ release: () => undefined, fence: "1" }),
      one,
      "bad-shape",
      'to be a number or missing, found "1"',
    ],
    [
      "approve is asked about nobody",
      (ports) => but(ports, { acquire: async () => void Reflect.apply(ports.approve, null, [undefined]) }),
      one,
      "bad-shape",
      "expected approve() to be called with the id of a call, found undefined",
    ],
    [
      "release throws",
      grants({ release: boom }),
      released,
      "threw",
      "release c1 was answered with an error: Error: boom",
    ],
    ["release rejects", grants({ release: async () => boom() }), released, "threw", "release c1"],
    ["close throws", (ports) => but(ports, { close: boom }), [close("run")], "threw", "close run was answered"],
    ["close rejects", (ports) => but(ports, { close: async () => boom() }), [close("run")], "threw", "Error: boom"],
    [
      "finish throws",
      (ports) => but(ports, { spawn: () => undefined, finish: boom }),
      child,
      "threw",
      "finish k1 was answered with an error: Error: boom",
    ],
    [
      "finish never settles",
      (ports) => but(ports, { spawn: () => undefined, finish: never }),
      child,
      "unsettled",
      "finish k1 has not settled, and nothing is left to happen",
    ],
    ["spawn never settles", (ports) => but(ports, { spawn: never }), child, "unsettled", "spawn k1 has not settled"],
    [
      "an error that nobody handles",
      (ports) => {
        const leases = byTheBook(ports);
        const acquire = (call: LeaseRequest) => {
          void (async () => boom())();
          return leases.acquire(call);
        };
        return but(ports, { acquire }, leases);
      },
      one,
      "threw",
      "Error: boom",
    ],
    [
      "a real timer",
      (ports) => but(ports, { close: () => void realTimeout(() => undefined, 1) }),
      [close("run")],
      "leaked",
      "timer",
    ],
  ];
  test.each(inUse)("%s", async (_, make, script, kind, detail) => {
    const report = await checkOf(make, { executions: 20, script });
    const found = report.problems.find((problem) => problem.kind === kind);
    expect(found?.detail).toContain(detail);
    if (kind !== "leaked") expect(found?.repro?.script.length).toBeGreaterThan(0);
  });

  test("a scheduler that does something else the second time", async () => {
    let made = 0;
    const make = (ports: LeasePorts) => {
      const isSlow = ++made % 2 === 0;
      const leases = byTheBook(ports);
      const acquire = async (call: LeaseRequest) => {
        if (isSlow) await new Promise((resolve) => setTimeout(resolve, 1));
        return leases.acquire(call);
      };
      return but(ports, { acquire }, leases);
    };
    const { problems } = await checkOf(make, { executions: 20, script: [...one, about("release", "c1")] });
    expect(problems).toMatchObject([{ kind: "diverged" }]);
  });

  test("an unmake that throws", async () => {
    const { problems } = await checkOf(byTheBook, { executions: 5, script: one, unmake: boom });
    expect(problems).toEqual([{ kind: "threw", detail: "unmake threw: Error: boom" }]);
  });

  const unreadable = new Proxy({}, { get: boom, has: boom, getPrototypeOf: boom, ownKeys: boom });
  const thenable = (then: (granted: (grant: unknown) => void, refused: (error: unknown) => void) => void) => ({ then });
  const lease = { release: () => undefined };
  /** What they answer, the problem that it is, and the promises that it breaks. */
  const hostile: readonly (readonly [string, Readonly<Record<string, unknown>>, string | null, readonly string[]])[] = [
    ["a release that is no function", { acquire: async () => ({ release: unreadable }) }, "bad-shape", []],
    ["a release that cannot be read", { acquire: async () => throwing("release") }, "bad-shape", []],
    [
      "a promise that cannot be read",
      { acquire: () => unreadable },
      "bad-shape",
      ["lease/no-idle-waiter", "lease/one-outcome"],
    ],
    ["a promise that throws", { acquire: () => thenable(boom) }, null, ["lease/refused-for-cause"]],
    [
      "a promise that answers before it is returned",
      { acquire: () => thenable((granted) => granted(lease)) },
      null,
      [],
    ],
    [
      "a promise that answers twice",
      {
        acquire: () =>
          thenable((granted, refused) => {
            granted(lease);
            granted(lease);
            refused(new Error("busy"));
          }),
      },
      null,
      [],
    ],
    ["an error that cannot be read", { acquire: () => Promise.reject(unreadable) }, null, ["lease/refused-for-cause"]],
    ["a fence that is none", { acquire: async () => ({ ...lease, fence: Number.NaN }) }, null, ["lease/fence-grows"]],
    ["fences that fall", falling(), null, ["lease/fence-grows"]],
    ["a claim that cannot be read", { spawn: () => unreadable, finish: () => undefined }, null, []],
    ["a claim that throws", { spawn: () => thenable(boom) }, null, ["lease/refused-for-cause"]],
  ];
  const two: LeaseScript = [request("c1", edit), request("c2", file("docs/b.md")), spawn("k1", "lib"), finish("k1")];
  test.each(hostile)("%s", async (_, methods, kind, promises) => {
    const { problems, broken } = await checkOf((ports) => but(ports, methods), { executions: 20, script: two });
    expect(problems.map((problem) => problem.kind)).toEqual(kind === null ? [] : [kind]);
    expect([...new Set(broken.map(({ invariant }) => invariant))]).toEqual(promises);
  });

  function throwing(name: string): object {
    return Object.defineProperty({}, name, { get: boom });
  }

  function falling(): Readonly<Record<string, unknown>> {
    let fence = 1_000;
    return { acquire: async () => ({ ...lease, fence: --fence }) };
  }

  test("what may be refused by an error is none: a request, a spawn, a child that is not there", async () => {
    const refuses = (ports: LeasePorts) => {
      const leases = byTheBook(ports);
      const finish = (child: string) => {
        if (child !== "k1") boom();
        leases.finish(child);
      };
      return but(ports, { spawn: async (child: LeaseSpawn) => leases.spawn(child), finish }, leases);
    };
    const script: LeaseScript = [
      request("c1", edit),
      spawn("k0", "src"),
      spawn("k1", "lib"),
      finish("k0"),
      finish("k1"),
    ];
    expect(await checkOf(refuses, { executions: 20, script })).toMatchObject({ broken: [], problems: [] });
  });

  test("a refusal in the scheduler's own words is judged by what happened, not by its words", async () => {
    const plain = (ports: LeasePorts) => {
      const leases = byTheBook(ports);
      const spawn = (child: LeaseSpawn) => {
        try {
          return leases.spawn(child);
        } catch {
          throw new Error("the folder is taken");
        }
      };
      return but(ports, { spawn }, leases);
    };
    const script: LeaseScript = [request("c1", edit), spawn("k0", "src"), spawn("k1", "lib")];
    expect(await checkOf(plain, { executions: 20, script })).toMatchObject({ broken: [], problems: [] });
    const always = (ports: LeasePorts) => but(ports, { spawn: boom });
    const found = await checkOf(always, { executions: 20, script });
    expect(found.broken.map(({ invariant }) => invariant)).toEqual(["lease/refused-for-cause"]);
  });
});

const realTimeout = setTimeout;
