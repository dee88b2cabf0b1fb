/** What it costs to watch an execution for leaks, beside the same executions unwatched in the same run. */
import { scenario } from "../index.ts";
import { planOf } from "../sim/bounds.ts";
import type { Watch } from "../sim/native/leaks/detector.ts";
import { withRunner } from "../sim/runner.ts";
import { FirstComeChooser } from "../sim/strategy.ts";
import { agentProgram } from "./agent-program.ts";
import { median } from "./median.ts";

const executions = 500;
const rounds = 5;
/** One of so many executions of a search is run twice, the second time watched. */
const watchedOneIn = 256;

const subject = scenario("bench: watched", (world) => {
  const { done } = agentProgram({ pause: (label) => world.io(label, () => null) });
  world.settles("done", done);
});

/** Nanoseconds an execution. */
function cost(watch: Watch): Promise<number> {
  const { settings } = planOf(subject);
  return withRunner(subject, settings, async (runner) => {
    const chooser = new FirstComeChooser(false);
    let ran = 0;
    const start = performance.now();
    await runner.batch({
      index: 0,
      next: () => {
        runner.engine.watch = watch;
        return ran++ < executions ? chooser : null;
      },
      again: () => chooser,
      ended: () => undefined,
    });
    return ((performance.now() - start) / executions) * 1e6;
  });
}

export async function benchLeaks(): Promise<void> {
  const rows: Readonly<Record<Watch, number>>[] = [];
  for (let round = 0; round < rounds; round++) {
    rows.push({ off: await cost("off"), resources: await cost("resources"), origins: await cost("origins") });
  }
  const times = (watch: Watch): number => median(rows.map((row) => row[watch] / row.off));
  console.log(`leaks: ${executions} executions of the same program, median of ${rounds} rounds`);
  console.log(`  not watched             ${Math.round(median(rows.map(({ off }) => off)))} ns an execution`);
  console.log(
    `  leak hooks              ${times("resources").toFixed(1)} times that, in one execution of ${watchedOneIn}`,
  );
  console.log(
    `  and attribution         ${times("origins").toFixed(1)} times that, in the first two and in a failing one`,
  );
}
