import { describe, expect, test } from "vitest";
import { createLeaseScheduler } from "../../core/lease/host.ts";
import { defaultPolicy, type Footprint } from "../../core/lease/state.ts";
import { search } from "../../sim/search.ts";
import type { LeaseHistory, LeaseSighting } from "./history.ts";
import { parentChildExclusive } from "./invariants/leases.ts";
import { arrivalOrder, noIdleWaiter } from "./invariants/queue.ts";
import { refusedForCause } from "./invariants/refusals.ts";
import { boundedWait } from "./invariants/time.ts";
import { leaseSituation } from "./situation.ts";
import { about, file, nothing, request } from "./situations.ts";
import { ByTheBook } from "./subjects/by-the-book.ts";

const folder = file("src");
const limitMs = defaultPolicy.waitLimitMs;

function history(...sightings: readonly LeaseSighting[]): LeaseHistory {
  return { policy: defaultPolicy, sightings };
}

function requested(call: string, footprint: Footprint, more: { needsApproval?: boolean; atMs?: number } = {}) {
  return {
    seen: "requested",
    call,
    owner: "run",
    footprint,
    needsApproval: false,
    aborted: false,
    atMs: 0,
    ...more,
  } as const;
}

function yes(call: string, atMs = 0) {
  return { seen: "answered", call, yes: true, atMs } as const;
}

function granted(call: string) {
  return { seen: "granted", call, fence: null } as const;
}

function expired(call: string) {
  return { seen: "expired", call, path: "src", atMs: limitMs } as const;
}

function drained(from: number) {
  return { seen: "drained", from } as const;
}

describe("what is seen within one drain", () => {
  const asked = requested("c1", folder, { needsApproval: true });

  test("a yes may be heard before or after a request that comes meanwhile", () => {
    const seen = [asked, yes("c1"), requested("c2", folder), granted("c2")];
    expect(arrivalOrder.violation(history(...seen))).toContain("c2 overtook c1");
    expect(arrivalOrder.violation(history(...seen, drained(1)))).toBeUndefined();
    const other = [asked, yes("c1"), requested("c2", folder), granted("c1"), drained(1)];
    expect(arrivalOrder.violation(history(...other))).toBeUndefined();
  });

  test("when the drain is over, the yes has been heard", () => {
    const seen = [asked, yes("c1"), requested("c2", file("docs")), granted("c2"), drained(1)];
    const later = [...seen, requested("c3", folder), granted("c3")];
    expect(arrivalOrder.violation(history(...later))).toContain("c3 overtook c1");
  });

  test("one order is the right one, and stays so", () => {
    // Whichever of c1 and c2 was first: somebody of the three has overtaken somebody.
    const start = [asked, requested("c0", folder), granted("c0"), yes("c1"), requested("c2", folder), drained(3)];
    const released = { seen: "released", call: "c0", fence: null } as const;
    const c3 = requested("c3", folder);
    for (const first of ["c1", "c2"]) {
      expect(arrivalOrder.violation(history(...start, c3, released, granted(first)))).toBeUndefined();
    }
    expect(arrivalOrder.violation(history(...start, c3, released, granted("c3")))).toContain("c3 overtook");
    const told = history(...start, c3, released);
    expect(noIdleWaiter.violation(told)).toContain("and it waits");
  });

  test("a call that has expired is not in the way of a child, although nobody has heard of it", () => {
    const before = [
      requested("c0", file("src/b.ts")),
      granted("c0"),
      requested("c1", file("src")),
      { seen: "released", call: "c0", fence: null },
    ] as const;
    const spawning = { seen: "spawning", child: "k1", owner: "run", paths: ["src/a.ts"] } as const;
    const spawned = { seen: "spawned", child: "k1", fence: null } as const;
    const woken = { seen: "woken", atMs: limitMs } as const;
    const seen = [...before, woken, spawning, spawned, expired("c1")];
    expect(parentChildExclusive.violation(history(...seen))).toContain("k1 was spawned on src/a.ts, where c1 writes");
    expect(parentChildExclusive.violation(history(...seen, drained(before.length)))).toBeUndefined();
    // One that did not expire is in the way.
    const never = [...before, woken, spawning, spawned, drained(before.length)];
    expect(parentChildExclusive.violation(history(...never))).toContain("where c1 writes");
  });

  test("an expired call is overtaken by nobody who is granted in its place", () => {
    const seen = [
      requested("c0", folder),
      granted("c0"),
      requested("c1", folder),
      requested("c2", file("src/a.ts"), { atMs: 1 }),
      { seen: "woken", atMs: limitMs },
      { seen: "released", call: "c0", fence: null },
      granted("c2"),
      expired("c1"),
    ] as const;
    expect(arrivalOrder.violation(history(...seen))).toContain("c2 overtook c1");
    expect(arrivalOrder.violation(history(...seen, drained(4)))).toBeUndefined();
  });

  test("a call that is refused for nothing is not in the way of a child, although nobody has heard of it", () => {
    const seen = [
      requested("c1", folder),
      { seen: "spawning", child: "k1", owner: "run", paths: ["src/a.ts"] },
      { seen: "spawned", child: "k1", fence: null },
      { seen: "refused", call: "c1", reason: "busy", path: null, holder: null, inOwnWords: true },
    ] as const;
    expect(parentChildExclusive.violation(history(...seen))).toContain("where c1 writes");
    expect(parentChildExclusive.violation(history(...seen, drained(0)))).toBeUndefined();
    expect(refusedForCause.violation(history(...seen, drained(0)))).toBeDefined();
  });

  test("a yes that is heard after time has moved begins a wait that ends later", () => {
    const woken = { seen: "woken", atMs: 10, overMs: 9 } as const;
    const last = { seen: "woken", atMs: limitMs + 10, overMs: limitMs + 9 } as const;
    const seen = [requested("c0", folder), granted("c0"), asked, yes("c1"), woken];
    expect(boundedWait.violation(history(...seen, last))).toContain("c1 outlived its deadline");
    expect(boundedWait.violation(history(...seen, drained(3), last))).toBeUndefined();
  });
});

test("whoever is turned away at the door is in nobody's way, although it has not heard so yet", () => {
  const closed = [{ seen: "closed", owner: "run", atMs: 0 }, requested("c1", folder)] as const;
  const c2 = { ...requested("c2", folder), owner: "other" };
  expect(arrivalOrder.violation(history(...closed, c2, granted("c2")))).toBeUndefined();
  const spawning = { seen: "spawning", child: "k1", owner: "other", paths: ["src/a.ts"] } as const;
  const spawned = { seen: "spawned", child: "k1", fence: null } as const;
  const refused = { seen: "refused", call: "c1", reason: "owner-closed", path: null, holder: null } as const;
  expect(parentChildExclusive.violation(history(...closed, spawning, spawned, refused))).toBeUndefined();
  // Who was let in is in the way.
  expect(parentChildExclusive.violation(history(c2, spawning, spawned))).toContain("where c2 writes");
});

test("the two right ones keep their promises where a request overtakes a yes within its drain", async () => {
  const flows = {
    a: [request("c1", folder, { needsApproval: true }), about("approve", "c1")],
    b: [request("look", nothing), request("c2", folder)],
  };
  const right = {
    core: leaseSituation({
      ...{ name: "core", situation: { flows } },
      make: (ports, policy) => createLeaseScheduler(ports, policy),
    }),
    book: leaseSituation({
      ...{ name: "book", situation: { flows } },
      make: (ports, policy) => new ByTheBook(ports, policy),
    }),
  };
  for (const [name, scenario] of Object.entries(right)) {
    const found = await search(scenario, { level: "jitter", strategy: "depth-first", executions: 60 });
    const told = found.outcome === "violated" ? `${found.violation.name}: ${found.violation.detail}` : found.outcome;
    expect([name, told]).toEqual([name, "held"]);
  }
});
