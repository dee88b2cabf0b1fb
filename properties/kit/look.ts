import type { ExploreOptions } from "../../sim/result.ts";
import { ScenarioError } from "../../sim/scenario.ts";
import { search } from "../../sim/search.ts";
import type { Problem } from "./check-report.ts";
import type { Family, Shape } from "./family.ts";
import { FactoryError, type FixtureState } from "./fixture.ts";

export type Looked =
  | { readonly problem: Problem; readonly shape: null }
  | { readonly problem: null; readonly shape: Shape };

/**
 * Has the subject made once, without giving it a command: that tells whether its factory works, whether it returns a
 * promise, and which optional methods the subject has.
 */
export async function look(family: Family, fixture: FixtureState, options: ExploreOptions): Promise<Looked> {
  // A plain factory that returns a promise is known for one only after the first execution.
  for (let attempt = 0; attempt < 2; attempt++) {
    const wasAsync = fixture.isAsync;
    const looked = await lookOnce(family, options);
    if (fixture.isAsync === wasAsync) return looked;
  }
  throw new Error("A factory that returned a promise once must be known for one");
}

async function lookOnce(family: Family, { level, signal }: ExploreOptions): Promise<Looked> {
  const seen: { shape: Shape } = { shape: { wrong: [], absent: [] } };
  const scenario = family.scenario({
    without: [],
    muted: new Set(),
    onShape: (shape) => {
      seen.shape = shape;
    },
  });
  try {
    const found = await search(scenario, {
      strategy: "first-come",
      executions: 1,
      script: [],
      ...(level === undefined ? {} : { level }),
      ...(signal === undefined ? {} : { signal }),
    });
    const problem = problemOf(found);
    if (problem !== null) return { problem, shape: null };
  } catch (error) {
    if (!(error instanceof ScenarioError) || !(error.cause instanceof FactoryError)) throw error;
    return { problem: { kind: error.cause.kind, detail: error.cause.message }, shape: null };
  }
  return { problem: null, shape: seen.shape };
}

function problemOf(found: Awaited<ReturnType<typeof search>>): Problem | null {
  switch (found.outcome) {
    case "held":
      return null;
    case "violated": {
      const { name, detail } = found.violation;
      const kind = name === "kit/bad-shape" ? "bad-shape" : name === "kit/unsettled" ? "unsettled" : "factory-threw";
      return { kind, detail: name.startsWith("kit/") ? detail : `${name}: ${detail}` };
    }
    default:
      return { kind: found.outcome, detail: found.detail };
  }
}
