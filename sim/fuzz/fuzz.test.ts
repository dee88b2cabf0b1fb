import { expect, test } from "vitest";
import { Random, streamSeed } from "../random.ts";
import { comparePrograms } from "./compare.ts";
import { describeMismatch } from "./describe.ts";
import { Draws } from "./draws.ts";
import { type Program, programOf } from "./program.ts";

/** CI runs a thousand others, drawn by the commit, and the night a hundred thousand: `npm run fuzz`. */
const programs = 300;
const chunk = 100;
const seed = "fuzz";

const engines = ["native", "microtask"] as const;

test(`both engines log in ${programs} random programs what Node's own loop logs`, async () => {
  const random = new Random(streamSeed(seed, "world"));
  let lines = 0;
  let failures = 0;
  for (let from = 0; from < programs; from += chunk) {
    const drawn = Array.from({ length: chunk }, (_, index) => programAt(random, from + index));
    for (const [index, compared] of (await comparePrograms(drawn, engines)).entries()) {
      expect(compared.differs, `program ${from + index} of "${seed}"\n${describeMismatch(compared)}`).toBe(null);
      lines += compared.onNode.log.length;
      if (compared.onNode.failure !== null) failures++;
    }
  }
  // The programs are no empty shells, and some of them fail.
  expect(lines).toBeGreaterThan(programs * 20);
  expect(failures).toBeGreaterThan(programs / 100);
});

function programAt(random: Random, number: number): Program {
  random.restart(number);
  return programOf(Draws.fresh(random));
}
