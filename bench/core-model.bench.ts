/**
 * The real contract of the agent, judged by the reducer that ships, over ten million states: all budgets of a state at once
 * (`sim/model/sweep.ts`), beside state by state with plain objects. The plain exploration runs to a limit, because all of it
 * would take minutes. Rates are per second of processor time, all threads of the process counted; only the ratio counts.
 */
import { budgetedAgentModel, defaultBounds, policies } from "../properties/agent/model/index.ts";
import { withBudget } from "../sim/model/budget.ts";
import { Explorer } from "../sim/model/explorer.ts";
import { Sweep } from "../sim/model/sweep.ts";
import { median } from "./median.ts";

const rounds = 3;
const plainLimit = 200_000;
const bounds = { ...defaultBounds, sends: 4, cancels: 6, retracts: 4, maintenances: 4, writeFaults: 4 };
const memoryBytes = 2 ** 32;

type Run = {
  readonly states: number;
  readonly edges: number;
  readonly bytesPerState: number;
  readonly processorSeconds: number;
  readonly wallSeconds: number;
};

/** Runs both in turn, so that a busy machine slows both, and prints medians. */
export async function benchCoreModel(): Promise<void> {
  const [policy] = policies;
  if (policy === undefined) throw new Error("There is no policy to bench");
  const model = budgetedAgentModel({ policy, bounds });
  const plain: Run[] = [];
  const swept: Run[] = [];
  let asked = 0;
  for (let round = 0; round < rounds; round++) {
    plain.push(await timed(() => new Explorer(withBudget(model)).run({ memoryBytes, stateLimit: plainLimit })));
    swept.push(
      await timed(async () => {
        const sweep = new Sweep(model);
        const result = await sweep.run({ memoryBytes });
        if (result?.outcome !== "proved") throw new Error(`The sweep says ${result?.why ?? "nothing"}`);
        asked = sweep.graph.explored.table.states;
        return result;
      }),
    );
  }
  const of = (runs: readonly Run[], number: (run: Run) => number) => median(runs.map(number));
  const row = (name: string, runs: readonly Run[]) => {
    const [states, edges, bytes, seconds, wall] = (
      ["states", "edges", "bytesPerState", "processorSeconds", "wallSeconds"] as const
    ).map((key) => of(runs, (run) => run[key]));
    const rate = of(runs, ({ states, processorSeconds }) => states / processorSeconds);
    console.log(
      `  ${name.padEnd(24)}${states} states, ${edges} edges: ${Math.round(rate)} states/s, ${bytes?.toFixed(1)} bytes a state (${seconds?.toFixed(1)} s of processor, ${wall?.toFixed(1)} s)`,
    );
    return rate;
  };
  const within = Object.entries(bounds).map(([name, size]) => `${name} ${size}`);
  console.log(`core model: the agent, within ${within.join(", ")}, breadth-first, median of ${rounds} rounds`);
  const slow = row("plain object reducer", plain);
  const fast = row("all budgets at once", swept);
  console.log(`  ${(fast / slow).toFixed(1)} times as fast; the plain reducer judged every input in ${asked} states`);
}

async function timed(explore: () => Promise<Pick<Run, "states" | "edges" | "bytesPerState">>): Promise<Run> {
  const before = process.cpuUsage();
  const start = performance.now();
  const { states, edges, bytesPerState } = await explore();
  const { user, system } = process.cpuUsage(before);
  const wallSeconds = (performance.now() - start) / 1_000;
  return { states, edges, bytesPerState, processorSeconds: (user + system) / 1_000_000, wallSeconds };
}
