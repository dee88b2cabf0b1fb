/** A set of small situations, each run in every order there is; together they have to reach what they were made for. */
import { expect } from "vitest";
import type { ExploreOptions } from "../../sim/result.ts";
import type { Scenario } from "../../sim/scenario.ts";
import { type SearchResult, search } from "../../sim/search.ts";

/** Above that a situation is not small. */
const ordersPerSituation = 20_000;

/** Returns the goals that none of them has reached. One that breaks, or has more orders than that, fails the test. */
export async function certifyAll(situations: readonly Scenario[], options: ExploreOptions): Promise<readonly string[]> {
  const missing: (readonly string[])[] = [];
  for (const subject of situations) {
    const found = await everyOrder(subject, options);
    expect(`${subject.name}: ${told(found)}`).toBe(`${subject.name}: held`);
    expect(found).toMatchObject({ certificate: { of: "orders", level: options.level } });
    if (found.outcome === "held") missing.push(found.reached.missing);
  }
  const [first = [], ...rest] = missing;
  return first.filter((goal) => rest.every((others) => others.includes(goal)));
}

/** Runs every order until one breaks, and says what broke it. */
export async function firstViolation(subject: Scenario, options: ExploreOptions): Promise<string> {
  return told(await everyOrder(subject, options));
}

function everyOrder(subject: Scenario, options: ExploreOptions): Promise<SearchResult> {
  return search(subject, { strategy: "depth-first", executions: ordersPerSituation, ...options });
}

function told(found: SearchResult): string {
  if (found.outcome === "held") return "held";
  return found.outcome === "violated" ? `${found.violation.name}: ${found.violation.detail}` : found.detail;
}
