/**
 * Executions per second through the public explore(), names, trace and invariants on, beside fast-check's scheduler;
 * both place the same 17 deliveries of one program in every execution. Only the ratio counts: machines are shared.
 */
import fc from "fast-check";
import { explore, scenario } from "../index.ts";
import { agentProgram } from "./agent-program.ts";
import { median } from "./median.ts";

const deliveries = 17;
const executions = 8_000;
const rounds = 7;

const subject = scenario("bench: agent program", (world) => {
  const { ledger, done } = agentProgram({ pause: (label) => world.io(label, () => null) });
  world.settles("done", done);
  world.always("no turn without a prompt", () => ledger.turns <= 5);
  world.atQuiescence("every prompt has its turn", () => ledger.total === 15 && ledger.finished);
});

async function microloomRate(round: number): Promise<number> {
  const start = performance.now();
  const result = await explore(subject, { strategy: "random", executions, seed: String(round) });
  const ms = performance.now() - start;
  if (result.outcome !== "held" || result.executions !== executions)
    throw new Error("the bench scenario does not hold");
  return (executions / ms) * 1_000;
}

/** Executions per second of the reference program under fast-check's scheduler. */
export async function fastCheckRate(round: number): Promise<number> {
  const numRuns = executions / 8;
  let placed = 0;
  const start = performance.now();
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const { ledger, done } = agentProgram({
        pause: (label) => {
          placed++;
          return scheduler.schedule(Promise.resolve(null), label);
        },
      });
      await scheduler.waitFor(done);
      return ledger.total === 15;
    }),
    { numRuns, seed: round },
  );
  const ms = performance.now() - start;
  if (placed !== numRuns * deliveries) throw new Error(`fast-check placed ${placed / numRuns} deliveries a run`);
  return (numRuns / ms) * 1_000;
}

/** Runs both in turn, so that a busy machine slows both, and prints medians and their ratio. */
export async function benchExplore(): Promise<void> {
  const ours: number[] = [];
  const theirs: number[] = [];
  // The first round is for the compiler.
  await microloomRate(rounds);
  await fastCheckRate(rounds);
  for (let round = 0; round < rounds; round++) {
    ours.push(await microloomRate(round));
    theirs.push(await fastCheckRate(round));
  }
  const ratio = median(ours.map((rate, index) => rate / (theirs[index] ?? rate)));
  console.log(`explore: ${deliveries} placed deliveries an execution, median of ${rounds} rounds`);
  console.log(`  microloom explore()     ${Math.round(median(ours))} executions/s`);
  console.log(`  fast-check scheduler    ${Math.round(median(theirs))} executions/s`);
  console.log(`  ratio                   ${ratio.toFixed(1)}`);
}
