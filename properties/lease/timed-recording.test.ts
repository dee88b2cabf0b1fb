/** A scheduler's timers are not seen, and all the same a limit that is a millisecond off is. */
import { expect, test } from "vitest";
import type { LeasePolicy } from "../../core/lease/state.ts";
import type { ExploreOptions } from "../../sim/result.ts";
import { search } from "../../sim/search.ts";
import type { Situation } from "./flows.ts";
import type { LeaseHistory } from "./history.ts";
import { leaseSituation } from "./situation.ts";
import { about, close, file, request, wait, workspace } from "./situations.ts";
import { ByTheBook } from "./subjects/by-the-book.ts";
import { NeverGivesUpOnStuck } from "./subjects/never-gives-up-on-stuck.ts";

const policy = { waitLimitMs: 100, stuckLimitMs: 10 };
const stuck = request("stuck", file("a"), { owner: "run" });

async function told(situation: Situation, off: Partial<LeasePolicy> = {}, options: ExploreOptions = {}) {
  const scenario = leaseSituation({
    name: "limits",
    situation: { policy, ...situation },
    make: (ports, policy) => new ByTheBook(ports, { ...policy, ...off }),
  });
  const found = await search(scenario, { executions: 30, ...options });
  return found.outcome === "violated" ? `${found.violation.name}: ${found.violation.detail}` : found.outcome;
}

const waits: Situation = { flows: { user: [stuck, request("waits", file("a")), wait(150)] } };
const closes: Situation = { flows: { user: [stuck, close("run"), request("next", workspace), wait(50)] } };

test("a wait that ends on time is no breach, and one that ends a millisecond early or late is", async () => {
  expect(await told(waits)).toBe("held");
  expect(await told(waits, { waitLimitMs: 99 })).toBe("lease/bounded-wait: waits expired before its time");
  expect(await told(waits, { waitLimitMs: 101 })).toBe("lease/bounded-wait: waits outlived its deadline");
});

test("stuck work that loses its lease on time is no breach, and what comes a millisecond early or late is", async () => {
  expect(await told(closes)).toBe("held");
  expect(await told(closes, { stuckLimitMs: 9 })).toContain("lease/single-writer");
  expect(await told(closes, { stuckLimitMs: 11 })).toContain("lease/close-leaves-nothing: next had to wait for stuck");
});

test("a user whose wait ends in the very moment of a limit does nothing until that moment is over", async () => {
  for (const limit of [policy.waitLimitMs, policy.stuckLimitMs]) {
    const steps = [stuck, close("run"), request("next", file("a/b")), wait(limit), about("release", "stuck")];
    for (const level of ["spec", "jitter"] as const) {
      expect(await told({ flows: { user: [...steps, about("release", "next")] } }, {}, { level })).toBe("held");
    }
  }
});

test("several calls may expire in one moment, each by a timer of its own", async () => {
  const histories: LeaseHistory[] = [];
  const scenario = leaseSituation({
    name: "a timer for each",
    make: (ports, policy) => new NeverGivesUpOnStuck(ports, policy),
    situation: { policy, flows: { user: [stuck, request("one", file("a")), request("other", file("a")), wait(150)] } },
    onHistory: (history) => histories.push(history),
  });
  expect(await search(scenario, { strategy: "first-come" })).toMatchObject({ outcome: "held" });
  const expired = histories.at(-1)?.sightings.flatMap((one) => (one.seen === "expired" ? [[one.call, one.atMs]] : []));
  expect(expired).toEqual([
    ["one", 100],
    ["other", 100],
  ]);
});
