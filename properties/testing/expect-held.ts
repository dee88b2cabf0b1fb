/** The three ways in which a situation is shown to be right: every order, many orders, and the real platform. */
import { expect } from "vitest";
import { type ExploreResult, explore } from "../../repro/explore.ts";
import type { ExploreOptions, Level } from "../../sim/result.ts";
import type { Scenario } from "../../sim/scenario.ts";
import { runManyForReal } from "./real-world.ts";

/** Runs every order there is; a search that ends without a certificate fails. */
export async function expectCertified(subject: Scenario, level: Level, options: ExploreOptions = {}): Promise<void> {
  const result = await explore(subject, { strategy: "depth-first", level, executions: 100_000, ...options });
  expect(told(result)).toBe("held");
  expect(result).toMatchObject({ certificate: { of: "orders", level }, reached: { missing: [] } });
}

export async function expectHeld(subject: Scenario, level: Level, options: ExploreOptions = {}): Promise<void> {
  const result = await explore(subject, { level, executions: 200, ...options });
  expect(told(result)).toBe("held");
  expect(result).toMatchObject({ reached: { missing: [] } });
}

export async function expectHeldForReal(subject: Scenario, runs = 20): Promise<void> {
  expect(await runManyForReal(subject, runs)).toBe(null);
}

function told(result: ExploreResult): string {
  if (result.outcome === "held") return "held";
  if (result.outcome !== "violated") return `${result.outcome}: ${result.detail}`;
  const { violation, repro } = result;
  const orderings = repro.orderings.map(({ first, then }) => `${first} < ${then}`).join(", ");
  return `${violation.name}: ${violation.detail}\nafter ${violation.at}; data ${repro.data}; ${orderings}\n${violation.stack ?? ""}`;
}
