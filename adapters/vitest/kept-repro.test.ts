/** What a failing race advises is done here to the letter, in a project of its own. */
import { mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { explore } from "../../repro/explore.ts";
import { type Repro, ReproError } from "../../repro/repro.ts";
import { writeRepro } from "../../repro/repro-file.ts";
import { type Scenario, scenario } from "../../sim/scenario.ts";
import { RaceProject } from "../testing/race-project.ts";
import { KeptReproError, keptPath, replayKept } from "./kept-repro.ts";

/** An account that loses deposits unless it reads its balance when it writes it. */
const accountSource = (balance: "read" | "balance"): string => `
  export function account(world) {
    let balance = world.zero ?? 0;
    return {
      get balance() { return balance; },
      async deposit(amount) {
        const read = balance;
        await world.io("save", () => 0);
        balance = ${balance} + amount;
      },
    };
  }`;

const races = (options: string): string => `
  import fc from "fast-check";
  import { account } from "../src/account.js";

  race("both count", (world) => {
    const opened = account(world);
    world.actor("ada", () => opened.deposit(1));
    world.actor("bob", () => opened.deposit(2));
    world.atQuiescence("all count", () => opened.balance === 3 || "balance " + opened.balance);
  });
  race.each([[2, 5]])("%i and %i count", (world, one, other) => {
    const opened = account(world);
    world.actor("ada", () => opened.deposit(one));
    world.actor("bob", () => opened.deposit(other));
    world.atQuiescence("all count", () => opened.balance === one + other);
  });
  race.prop("every deposit counts", fc.array(fc.integer({ min: 1, max: 50 })), (world, amounts) => {
    const opened = account(world);
    amounts.forEach((amount, nth) => world.actor("user " + nth, () => opened.deposit(amount)));
    world.atQuiescence("all count", () => opened.balance === amounts.reduce((one, other) => one + other, 0));
  });
  const seen = new Set();
  race.prop("every big deposit counts", fc.array(fc.bigInt({ min: 1n, max: 50n })), (world, amounts) => {
    if (!seen.has(amounts.join())) console.log("ran: " + amounts.join());
    seen.add(amounts.join());
    const opened = account({ zero: 0n, io: world.io.bind(world) });
    amounts.forEach((amount, nth) => world.actor("user " + nth, () => opened.deposit(amount)));
    world.atQuiescence("all count", () => opened.balance === amounts.reduce((one, other) => one + other, 0n));
  }, { ${options} });`;

test("what is moved where a failing race says is replayed first, and stays when it is fixed", async () => {
  await using project = await RaceProject.make();
  await project.write("src/account.js", accountSource("read"));
  await project.writeRaces("test/account.test.ts", races(""));
  const found = await project.vitest();
  expect(found.out).toContain("4 failed (4)");
  const advised = [
    ...found.err.matchAll(/The repro is in (.+)\n +Keep it: move it to (\S+), and this test replays it/g),
  ];
  const moves = advised.map(([, from = "", to = ""]) => ({ from, to }));
  expect(moves.map(({ to }) => to)).toEqual([
    "test/repros/both-count.json",
    "test/repros/2-and-5-count.json",
    "test/repros/every-deposit-counts.json",
  ]);
  // A repro is JSON, and 1n is none.
  expect(found.err).toContain("with [1n,1n]");
  const option = /Keep it: give this race the option (parameters: \{ .+ \})\n/.exec(found.err)?.[1] ?? "";

  for (const { from, to } of moves) await project.move(from, to);
  await project.writeRaces("test/account.test.ts", races(option));
  const again = await project.vitest();
  expect(again.out).toContain("4 failed (4)");
  expect(again.err.match(/It fails as recorded\./g)).toHaveLength(3);
  for (const { to } of moves) {
    expect(again.err).toContain(`Replayed from ${to}: once it is fixed, set "expect" to "held" and "choices" to null`);
  }
  // By its path fast-check comes to the same values past all others that it had tried.
  expect(again.err).toContain("with [1n,1n]");
  expect(valuesRun(again.out)).toBeLessThan(valuesRun(found.out));

  await project.write("src/account.js", accountSource("balance"));
  for (const { to } of moves) {
    const kept: object = JSON.parse(await project.read(to));
    await project.write(to, JSON.stringify({ ...kept, expect: "held", choices: null }));
  }
  const fixed = await project.vitest();
  expect(fixed.out).toContain("4 passed (4)");

  await project.write("src/account.js", accountSource("read"));
  const broken = await project.vitest();
  expect(broken.out).toContain("4 failed (4)");
  expect(broken.err.match(/what was fixed is broken again/g)).toHaveLength(3);
});

function valuesRun(output: string): number {
  return output.match(/^ran: /gm)?.length ?? 0;
}

describe("replayKept()", () => {
  const subject = counting("read");
  const fixed = counting("value");

  test("says where a race keeps its repro", () => {
    expect(keptPath(resolve("test/account.test.ts"), "both count")).toBe(join("test", "repros", "both-count.json"));
  });

  test("replays nothing where nothing is kept", async () => {
    await expect(replayKept(subject, "repros/none.json")).resolves.toBeUndefined();
  });

  test("passes only what expects to hold, and holds", async () => {
    const repro = await found(subject);
    const held: Repro = { ...repro, expect: "held", choices: null };
    await expect(kept(fixed, held)).resolves.toBeUndefined();
    for (const [of, what, told] of [
      [subject, repro, 'It fails as recorded.\n  Replayed from FILE: once it is fixed, set "expect" to "held"'],
      [subject, held, "The file expects this to hold: what was fixed is broken again.\n  Replayed from FILE"],
      [fixed, { ...repro, choices: null }, 'Once the fix is meant, set "expect" to "held"'],
      [counting("value", "store"), held, "FILE: remove the file, and this test searches for the failure anew"],
    ] as const) {
      await expect(kept(of, what)).rejects.toThrow(KeptReproError);
      await expect(kept(of, what)).rejects.toThrow(told);
    }
  });

  test("refuses the repro of another race", async () => {
    const repro = { ...(await found(subject)), scenario: "another" };
    await expect(kept(subject, repro)).rejects.toThrow(ReproError);
    await expect(kept(subject, repro)).rejects.toThrow(
      'Cannot replay FILE: expected a repro of "both count", found one of "another"; move it away, or rename the race',
    );
  });
});

function counting(what: "read" | "value", label = "save"): Scenario {
  return scenario("both count", (world) => {
    let value = 0;
    const add = async (): Promise<void> => {
      const read = value;
      await world.io(label, () => undefined);
      value = (what === "read" ? read : value) + 1;
    };
    world.actor("ada", add);
    world.actor("bob", add);
    world.atQuiescence("all count", () => value === 2);
  });
}

async function found(subject: Scenario): Promise<Repro> {
  const result = await explore(subject);
  if (result.outcome !== "violated") throw new Error(result.outcome);
  return result.repro;
}

/** Replays a repro that is kept; errors name its file as FILE. */
async function kept(subject: Scenario, repro: Repro): Promise<void> {
  const folder = await mkdtemp(resolve(".microloom-kept-"));
  const path = join(folder, "kept.json");
  try {
    await writeRepro(path, repro);
    await replayKept(subject, path);
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replaceAll(path, "FILE");
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
