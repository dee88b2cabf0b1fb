import { expect, test } from "vitest";
import { search } from "../search.ts";
import { allOf } from "../testing/executions.ts";
import { smallPrograms, touchingScenario } from "../testing/touching-program.ts";
import { Dpor } from "./dpor.ts";

test("ClassEstimate estimates as many classes as there are", async () => {
  let compared = 0;
  const off: string[] = [];
  for (const program of smallPrograms(60, 11)) {
    if (compared === 12) break;
    const subject = touchingScenario(program);
    const dpor = new Dpor();
    const { overtakes } = program;
    if ((await allOf(subject, dpor, { overtakes }, 400)) === null) continue;
    const classes = dpor.exhausted?.classes ?? 0;
    if (classes < 4) continue;
    compared++;
    let sum = 0;
    const seeds = 4;
    for (let seed = 0; seed < seeds; seed++) {
      const walked = await search(subject, { strategy: "random", executions: 500, overtakes, seed: `${seed}` });
      if (walked.outcome === "held") sum += walked.estimate?.classes ?? 0;
    }
    const mean = sum / seeds;
    // Four times ninety walks whose class is looked at: a fifth is several standard errors.
    if (mean < classes * 0.8 || mean > classes * 1.2) off.push(`${mean} for ${classes}: ${JSON.stringify(program)}`);
  }
  expect(off).toEqual([]);
  expect(compared).toBe(12);
});
