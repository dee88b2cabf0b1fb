import { describe, expect, test } from "vitest";
import { createLeaseScheduler } from "../../core/lease/host.ts";
import { search } from "../../sim/search.ts";
import type { LeaseHistory } from "./history.ts";
import { keptScripts, type MessageEnd, oneMessage, readModifyWrite, type Start } from "./kept.ts";
import { leaseSituation } from "./situation.ts";
import { type MakeSubject, wrongSubjects } from "./subjects/all.ts";
import { ByTheBook } from "./subjects/by-the-book.ts";
import { RefusesSiblings } from "./subjects/refuses-siblings.ts";

const right: Readonly<Record<string, MakeSubject>> = {
  "the core": (ports, policy) => createLeaseScheduler(ports, policy),
  "by the book": (ports, policy) => new ByTheBook(ports, policy),
};
const refuses: MakeSubject = (ports) => new RefusesSiblings(ports);
const wrong = new Map([...wrongSubjects, ["refuses-siblings", refuses]]);
const answered = new Set(["granted", "cancelled", "expired", "refused", "spawned", "spawn-refused"]);

function answersIn({ sightings }: LeaseHistory): readonly string[] {
  return sightings.flatMap((sighting) => {
    if (!answered.has(sighting.seen)) return [];
    const who = "call" in sighting ? sighting.call : "child" in sighting ? sighting.child : "";
    return [`${sighting.seen} ${who}`];
  });
}

describe("kept scripts", () => {
  for (const { name, subject, breaks, script, answers } of keptScripts) {
    const scenarioOf = (make: MakeSubject, onHistory?: (history: LeaseHistory) => void) =>
      leaseSituation({ name, make, situation: { flows: {} }, ...(onHistory && { onHistory }) });

    for (const [who, make] of Object.entries(right)) {
      test(`${name}: ${who} holds`, async () => {
        let last: LeaseHistory | undefined;
        const scenario = scenarioOf(make, (history) => {
          last = history;
        });
        expect(await search(scenario, { script, strategy: "first-come" })).toMatchObject({ outcome: "held" });
        expect(last && answersIn(last)).toEqual(answers);
        for (const level of ["spec", "jitter"] as const) {
          expect(await search(scenario, { script, level, executions: 15 })).toMatchObject({ outcome: "held" });
        }
      });
    }

    test(`${name}: ${subject} does not`, async () => {
      const make = wrong.get(subject);
      if (make === undefined) throw new Error(`There is no subject "${subject}"`);
      const found = await search(scenarioOf(make), { script, executions: 100 });
      expect(found).toMatchObject({ outcome: "violated", violation: { name: breaks } });
    });
  }
});

describe("the note's reproduction: three commands of 400 ms and a read in one message", () => {
  async function ends(make: MakeSubject, start: Start): Promise<readonly MessageEnd[]> {
    const seen: MessageEnd[] = [];
    const scenario = oneMessage(make, start, (end) => seen.push(end));
    expect(await search(scenario, { executions: 60 })).toMatchObject({ outcome: "held" });
    return seen;
  }

  for (const start of ["in parallel", "one after another", "in any order"] as const) {
    for (const [who, make] of Object.entries(right)) {
      test(`started ${start}, all four succeed under ${who}, the commands one at a time`, async () => {
        const seen = await ends(make, start);
        for (const { ran, failed, tookMs } of seen) expect([ran.length, failed, tookMs]).toEqual([4, [], 1_200]);
        const firsts = new Set(seen.map(({ ran }) => ran.find((call) => call !== "read")));
        expect(firsts.size).toBe(start === "in any order" ? 3 : 1);
      });
    }
  }

  for (const start of ["in parallel", "one after another"] as const) {
    test(`started ${start}, two of the commands fail under refuses-siblings`, async () => {
      for (const { ran, failed } of await ends(refuses, start)) {
        expect([ran, failed]).toEqual([
          ["read", "first command"],
          ["second command", "third command"],
        ]);
      }
    });
  }
});

describe("a file that two calls read, change and write", () => {
  for (const [who, make] of Object.entries(right)) {
    test(`no edit is lost under ${who}`, async () => {
      for (const level of ["spec", "jitter"] as const) {
        expect(await search(readModifyWrite(make), { level, executions: 60 })).toMatchObject({ outcome: "held" });
      }
    });
  }

  test("an edit is lost under compares-raw-paths", async () => {
    const make = wrong.get("compares-raw-paths") ?? refuses;
    const found = await search(readModifyWrite(make), {});
    expect(found).toMatchObject({ outcome: "violated", violation: { name: "no edit is lost" } });
  });
});
