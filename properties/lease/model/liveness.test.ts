import { expect, test } from "vitest";
import { Explorer } from "../../../sim/model/explorer.ts";
import { checkLiveness } from "../../../sim/model/liveness.ts";
import { leaseMutants } from "../mutants/all.ts";
import { type Duties, type LeaseModelOptions, leaseLiveness } from "./index.ts";

const bounds = { calls: 2, children: 0, paths: 1 };

async function judge(options: LeaseModelOptions & { readonly duties: Duties }) {
  const { model, fairness } = leaseLiveness({ bounds, ...options });
  const explorer = new Explorer(model);
  const { outcome } = await explorer.run();
  const live = await checkLiveness(explorer, fairness);
  const said = live.violation?.stem.steps.map(({ text }) => text);
  const cycle = live.violation?.cycle.map(({ text }) => text);
  return { outcome, live: live.outcome, idle: Object.values(live.pending).includes(0), said, cycle };
}

function mutant(name: string) {
  const found = leaseMutants.find((mutant) => mutant.name === name);
  if (found === undefined) throw new Error(`There is no mutant ${name}`);
  return found;
}

test.each(["everybody", "time", "releases"] as const)(
  "every waiter hears its outcome: duties of %s",
  async (duties) => {
    for (const queue of ["arrival", "per-path"] as const) {
      expect(await judge({ duties, policy: { queue } })).toEqual({ outcome: "proved", live: "proved", idle: false });
    }
  },
);

test("a waiter that nobody lets in waits for ever, unless time passes", async () => {
  const reducer = mutant("does-not-pump-on-release");
  const { live, said } = await judge({ duties: "releases", reducer });
  expect([live, said?.at(-1)]).toEqual(["violated", "release c2 with fence 2"]);
  expect((await judge({ duties: "everybody", reducer })).live).toBe("proved");
});

test("a question that never expires hangs, unless somebody answers", async () => {
  const reducer = mutant("asks-for-ever");
  const { live, said } = await judge({ duties: "time", reducer });
  expect([live, said?.at(-1)]).toEqual(["violated", "1 ms passes"]);
  expect((await judge({ duties: "everybody", reducer })).live).toBe("proved");
});

/** One that waits for two others, which take turns. */
const turns = { calls: 3, approvals: 0, children: 0, closes: 0, paths: 3 };

test("under `arrival` nobody starves, even if time stands still", async () => {
  expect((await judge({ duties: "releases", bounds: turns })).live).toBe("proved");
});

test("under `per-path` a command starves until its deadline while files take turns", async () => {
  const policy = { queue: "per-path" } as const;
  const { live, cycle } = await judge({ duties: "releases", bounds: turns, policy });
  expect(live).toBe("violated");
  expect(cycle?.map((text) => text.split(" with ")[0])).toEqual([
    "run requests c2 on src",
    "release c3",
    "run requests c3 on SRC",
    "release c2",
  ]);
});

test("an exploration for liveness exchanges no names", () => {
  expect(leaseLiveness().model.canonical).toBeUndefined();
});
