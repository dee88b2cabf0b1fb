/**
 * The bridge down: in every order of these situations the lease host does what its reducer says. Together they give every
 * input of the table and have every effect decided. Hosts with a planted fault show that the follower looks.
 */
import { describe, expect, test } from "vitest";
import { createLeaseScheduler } from "../../core/lease/host.ts";
import type { AcquireOptions, Grant, LeaseScheduler } from "../../core/lease/scheduler.ts";
import type { Footprint, LeaseEffect, LeaseInput } from "../../core/lease/state.ts";
import { scenario, type World } from "../../sim/scenario.ts";
import { certifyAll, firstViolation } from "../testing/certify-all.ts";
import { type FollowOptions, followed } from "./bridge.ts";
import { file, workspace } from "./testing/desk.ts";

/** Every input and effect, by type; with what tells two of one type apart. */
const inputs: Readonly<Record<LeaseInput["type"], readonly string[]>> = {
  request: ["none", "file", "workspace"],
  approve: [""],
  deny: [""],
  release: [""],
  abort: [""],
  tick: [""],
  spawn: [""],
  finish: [""],
  close: [""],
};
const doors = ["duplicate-call", "owner-closed", "outside-workspace", "child-writing", "denied", "root-busy"];
const claims = ["duplicate-child", "no-paths", "child-conflict", "root-writing"];
const effects: Readonly<Record<LeaseEffect["type"], readonly string[]>> = {
  "ask-approval": [""],
  granted: [""],
  cancelled: [""],
  expired: [""],
  fenced: ["call", "child"],
  spawned: [""],
  "overlaps-child": [""],
  refused: [...doors, ...claims],
  stale: ["approve", "deny", "release", "finish"],
};
const goals = [
  ...Object.entries(inputs).flatMap(([type, details]) => details.map((detail) => `takes ${type} ${detail}`)),
  ...Object.entries(effects).flatMap(([type, details]) => details.map((detail) => `decides ${type} ${detail}`)),
];

function inputWord(input: LeaseInput): string {
  return `takes ${input.type} ${input.type === "request" ? input.footprint.kind : ""}`;
}

function effectWord(effect: LeaseEffect): string {
  switch (effect.type) {
    case "fenced":
      return `decides fenced ${"call" in effect ? "call" : "child"}`;
    case "refused":
      return `decides refused ${effect.reason}`;
    case "stale":
      return `decides stale ${effect.input.type}`;
    default:
      return `decides ${effect.type} `;
  }
}

type Situation = Partial<Omit<FollowOptions, "onStep">>;
type More = Partial<Pick<AcquireOptions, "owner" | "needsApproval" | "signal">>;

/** An application at a scheduler that is followed: it asks, works for as long as an I/O takes, and releases. */
class Application {
  readonly leases: LeaseScheduler;
  readonly #world: World;

  constructor(world: World, options: Situation = {}) {
    this.#world = world;
    const reached = new Set<string>();
    for (const goal of goals) world.sometimes(goal, () => reached.has(goal));
    this.leases = followed(world, {
      approve: () => world.io("user:approve", () => true),
      ...options,
      onStep(input, decided) {
        reached.add(inputWord(input));
        for (const effect of decided) reached.add(effectWord(effect));
      },
    });
  }

  /** Resolves with null where the call does not run: why, the follower knows. */
  ask(call: string, footprint: Footprint, more: More = {}): Promise<Grant | null> {
    const { signal } = new AbortController();
    return this.leases.acquire({ call, owner: "run", footprint, signal, ...more }).catch(() => null);
  }

  async run(call: string, footprint: Footprint, more: More = {}): Promise<void> {
    const grant = await this.ask(call, footprint, more);
    if (!grant) return;
    await this.#world.io("work", () => undefined);
    grant.release();
  }

  spawn(child: string, paths: readonly string[], owner = "run"): void {
    try {
      this.leases.spawn({ child, owner, paths });
    } catch {
      // Refused; why, the follower knows.
    }
  }
}

const passMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const never = new Promise<never>(() => {});
/** Says what the types do not allow, as a caller without types may. */
const truthy = JSON.parse("1");

const queues = scenario("a queue, or none", (world) => {
  const conflict = world.choose("conflict", ["queue", "refuse"] as const);
  const queue = world.choose("queue", ["arrival", "per-path"] as const);
  const app = new Application(world, { policy: { conflict, queue }, firstFence: 7 });
  void app.ask("reader", { kind: "none" });
  void app.run("holder", file("a"));
  world.actor("command", () => app.run("command", workspace, { needsApproval: conflict === "refuse" }));
  world.actor("file", () => app.run("file", file("a/b")));
});

const approvals = (make = createLeaseScheduler) =>
  scenario("approvals of every kind", (world) => {
    const said = world.choose("answer", ["yes", "no", "truthy", "throws", "rejects", "late yes", "late no", "never"]);
    const app = new Application(world, {
      make,
      policy: { waitLimitMs: 10 },
      approve() {
        if (said === "throws") throw new Error("no window");
        if (said === "never") return never;
        if (said.startsWith("late")) return passMs(20).then(() => said === "late yes");
        return world.io("user:approve", () => {
          if (said === "rejects") throw new Error("the window was closed");
          return said === "truthy" ? truthy : said === "yes";
        });
      },
    });
    world.actor("asking", () => app.run("asking", file("a"), { needsApproval: true }));
    world.actor("other", () => app.run("other", file("a")));
  });

const aborts = scenario("an abort at any time", (world) => {
  const needsApproval = world.choose("approval", [false, true]);
  const app = new Application(world);
  const { signal, abort } = abortable();
  void app.run("holder", file("a"));
  world.actor("victim", () => app.run("victim", file("a"), { needsApproval, signal }));
  world.events("user", [["stop", abort]]);
});

/** `owner` gives back and stops, all in one delivery, or in jobs around the one that hands the grant over. */
function inOneDelivery(make = createLeaseScheduler) {
  return scenario("an abort in the delivery of the grant", (world) => {
    const app = new Application(world, { make });
    const order = world.choose("order", [
      "release, abort",
      "abort, release",
      "abort queued, release",
      "release, close",
    ]);
    const { signal, abort } = abortable();
    const first = app.ask("first", file("a"));
    const victim = app.run("victim", file("a"), { owner: "other", signal });
    const next = app.run("next", file("a"));
    world.actor("owner", async () => {
      const grant = await first;
      await world.io("work", () => undefined);
      if (order === "abort, release") abort();
      // Ahead of the job that hands the grant over.
      if (order === "abort queued, release") queueMicrotask(abort);
      grant?.release();
      if (order === "release, abort") abort();
      if (order === "release, close") app.leases.close("other");
      await Promise.all([victim, next]);
    });
  });
}

const expiries = (make = createLeaseScheduler) =>
  scenario("calls that wait too long", (world) => {
    const app = new Application(world, { make, policy: { waitLimitMs: 10 }, approve: () => never });
    world.actor("holder", async () => {
      const grant = await app.ask("holder", file("a"));
      await passMs(10);
      grant?.release();
    });
    world.actor("waiting", () => app.run("waiting", file("a/b")));
    world.actor("unanswered", () => app.run("unanswered", file("b"), { needsApproval: true }));
  });

const children = scenario("a child and its parent's writes", (world) => {
  const app = new Application(world);
  world.events("child", [
    ["spawn", () => app.spawn("child", ["src"])],
    ["finish", () => app.leases.finish("child")],
  ]);
  world.actor("edit", () => app.run("edit", file("src/a.ts")));
  world.actor("command", () => app.run("command", workspace));
});

const turnedAway = scenario("what is turned away at the door", (world) => {
  const app = new Application(world);
  const dead = abortable();
  dead.abort();
  const use = () => {
    void app.ask("outside", file("../a"));
    void app.ask("dead", file("a"), { signal: dead.signal });
    // Turned away, its name is free.
    void app.run("dead", file("a"));
    void app.ask("dead", file("b"));
  };
  const spawn = () => {
    app.spawn("child", []);
    app.spawn("child", ["/b"]);
    app.spawn("child", ["c"]);
    app.spawn("child", ["d"]);
    app.spawn("sibling", ["c/d"]);
    void app.ask("child", file("e"));
    void app.ask("in a child", file("c/e"));
  };
  world.events("user", [["use", use]]);
  world.events("parent", [["spawn", spawn]]);
  world.events("owner", [["close", () => app.leases.close("run")]]);
});

const releases = scenario("leases given back twice", (world) => {
  const app = new Application(world);
  world.actor("first", async () => {
    const grant = await app.ask("first", file("a"));
    grant?.release();
    await world.delay("pause");
    grant?.[Symbol.dispose]();
    if (grant) app.leases.canWrite(grant, "a");
  });
  world.actor("second", () => app.run("second", file("a")));
});

const finishes = scenario("claims ended twice", (world) => {
  const app = new Application(world);
  const spawn = (paths: readonly string[]) => app.leases.spawn({ child: "child", owner: "run", paths });
  world.actor("parent", async () => {
    const claim = spawn(["b"]);
    app.leases.canWrite(claim, "b/c");
    claim.finish();
    spawn(["c"]);
    await world.delay("pause");
    claim.finish();
    app.leases.canWrite(claim, "b/c");
    app.leases.finish("child");
    app.leases.finish("child");
  });
});

const closes = scenario("a close with every stage present", (world) => {
  const app = new Application(world, { policy: { stuckLimitMs: 10, waitLimitMs: 100 }, approve: () => never });
  const stuck = app.ask("stuck", file("a"));
  app.spawn("child", ["c"]);
  world.events("owner", [
    [
      "ask",
      () => {
        void app.ask("waiting", file("a"));
        void app.ask("approving", file("b"), { needsApproval: true });
      },
    ],
    ["close", () => app.leases.close("run")],
    [
      "close again",
      () => {
        app.leases.close("run");
        void app.ask("behind", file("z"));
      },
    ],
  ]);
  world.actor("heir", async () => {
    const grant = await app.ask("heir", file("a"), { owner: "other" });
    // By now the stuck call has lost its lease.
    (await stuck)?.release();
    grant?.release();
  });
});

const deeds = ["acquire", "release", "abort itself", "close", "spawn", "spawn on it"] as const;
const inside = scenario("calls from inside approve", (world) => {
  const deed = world.choose("inside", deeds);
  const { signal, abort } = abortable();
  let held: Grant | null = null;
  const app: Application = new Application(world, {
    approve() {
      if (deed === "acquire") void app.run("inside", file("a"));
      if (deed === "release") held?.release();
      if (deed === "abort itself") abort();
      if (deed === "close") app.leases.close("run");
      if (deed === "spawn") app.spawn("child", ["b"]);
      if (deed === "spawn on it") app.spawn("child", ["a"]);
      app.leases.finish("child");
      return world.io("user:approve", () => true);
    },
  });
  world.actor("holder", async () => {
    held = await app.ask("holder", file("a"), { owner: "other" });
    await world.io("work", () => undefined);
    held?.release();
  });
  world.actor("asking", () => app.run("asking", file("a"), { needsApproval: true, signal }));
});

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error("stop")) };
}

const situations = [
  queues,
  approvals(),
  aborts,
  inOneDelivery(),
  expiries(),
  children,
  turnedAway,
  releases,
  finishes,
  closes,
  inside,
];

describe("createLeaseScheduler()", () => {
  test("does what transition() says, in every order", async () => {
    expect(await certifyAll(situations, { level: "spec" })).toEqual([]);
  });

  test("does what transition() says, in every order at every tick", async () => {
    // Time passes only when nothing else can happen: limits that come too early are for the level above.
    await certifyAll(situations, { level: "jitter", overtakes: 0 });
  });
});

describe("a host with a fault", () => {
  const blind = (signal: AbortSignal): AbortSignal => {
    const { aborted } = signal;
    return new Proxy(signal, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (key === "aborted") return aborted;
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  };

  test("is found when it looks at a grant again and hands it over all the same", async () => {
    const handsOver: typeof createLeaseScheduler = (...made) => {
      const host = createLeaseScheduler(...made);
      const acquire = (asked: AcquireOptions) => host.acquire({ ...asked, signal: blind(asked.signal) });
      return {
        ...host,
        acquire,
        get state() {
          return host.state;
        },
      };
    };
    const found = await firstViolation(inOneDelivery(handsOver), { level: "spec" });
    expect(found).toBe(
      'the host follows its reducer: the end of a call: {"type":"runs","fence":2}; the reducer says {"type":"cancelled"}',
    );
  });

  test("is found when it asks for an approval twice", async () => {
    const asksTwice: typeof createLeaseScheduler = ({ approve, ...ports }, ...rest) => {
      const twice = (call: string) => {
        void approve(call);
        return approve(call);
      };
      return createLeaseScheduler({ ...ports, approve: twice }, ...rest);
    };
    const found = await firstViolation(approvals(asksTwice), { level: "spec" });
    expect(found).toBe('the host follows its reducer: what it asks approval for: "asking"; the reducer says undefined');
  });

  test("is found when its timer is late", async () => {
    const late: typeof createLeaseScheduler = ({ clock, ...ports }, ...rest) => {
      const setTimer = (ms: number, callback: () => void) => clock?.setTimer(ms + 1, callback) ?? (() => {});
      return createLeaseScheduler({ ...ports, ...(clock && { clock: { ...clock, setTimer } }) }, ...rest);
    };
    const found = await firstViolation(expiries(late), { level: "spec" });
    expect(found).toContain("the time of its timer");
  });
});
