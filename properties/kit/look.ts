import { search } from "../../sim/search.ts";
import type { CheckPlan } from "./check-options.ts";
import type { Problem } from "./check-report.ts";
import type { Family, Shape } from "./family.ts";
import { FactoryError, type FixtureState } from "./fixture.ts";
import { problemKinds } from "./problem-kinds.ts";

export type Looked =
  | { readonly problem: Problem; readonly shape: null }
  | { readonly problem: null; readonly shape: Shape };

/**
 * Has the subject made once, without giving it a command: that tells whether its factory works, whether it returns a
 * promise, and which optional methods the subject has.
 */
export async function look(family: Family, fixture: FixtureState, plan: CheckPlan): Promise<Looked> {
  // A plain factory that returns a promise is known for one only after the first execution.
  for (let attempt = 0; attempt < 2; attempt++) {
    const wasAsync = fixture.isAsync;
    const looked = await lookOnce(family, plan);
    if (fixture.isAsync === wasAsync) return looked;
  }
  throw new Error("A factory that returned a promise once must be known for one");
}

async function lookOnce(family: Family, { explore: { level, signal }, without }: CheckPlan): Promise<Looked> {
  const seen: { shape: Shape } = { shape: { wrong: [], absent: [] } };
  const scenario = family.scenario({
    without,
    // Only whether there is a subject is judged; what it does as it is made is judged with everything else.
    muted: new Set(family.invariants.map(({ name }) => name)),
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
    if (!(error instanceof FactoryError)) throw error;
    return { problem: { kind: error.kind, detail: error.message }, shape: null };
  }
  return { problem: null, shape: seen.shape };
}

function problemOf(found: Awaited<ReturnType<typeof search>>): Problem | null {
  switch (found.outcome) {
    case "held":
      return null;
    case "violated": {
      const { name, detail, kind } = found.violation;
      // What goes wrong later, goes wrong in every execution, and is told with a repro.
      if (kind === "quiescence" || kind === "always") return factoryProblemOf(name, detail);
      return { kind: kind === "livelock" ? "unsettled" : "factory-threw", detail: `as it is made: ${detail}` };
    }
    default:
      return { kind: found.outcome, detail: found.detail };
  }
}

function factoryProblemOf(name: string, detail: string): Problem | null {
  switch (name) {
    case "kit/factory-threw":
    case "kit/bad-shape":
    case "kit/unsettled":
      return { kind: problemKinds[name], detail };
    default:
      return null;
  }
}
