/**
 * How the states of the agent's contract grow with each bound, and how fast the plain reducer that ships is explored. Times are of
 * one core, and of this machine in this minute; the counts are the same everywhere.
 */
import { agentModel, defaultBounds, policies } from "../properties/agent/model/index.ts";
import { Explorer } from "../sim/model/explorer.ts";

type Growth = { readonly bound: keyof typeof defaultBounds; readonly sizes: readonly number[] };

const growths: readonly Growth[] = [
  { bound: "sends", sizes: [1, 2, 3, 4] },
  { bound: "cancels", sizes: [0, 1, 2, 3] },
  { bound: "retracts", sizes: [0, 1, 2] },
  { bound: "disposes", sizes: [0, 1] },
  { bound: "maintenances", sizes: [0, 1, 2] },
  { bound: "writeFaults", sizes: [0, 1, 2] },
  { bound: "crashes", sizes: [0, 1] },
  { bound: "steps", sizes: [1, 2, 3] },
];

export async function benchGrowth(): Promise<void> {
  const [policy] = policies;
  if (policy === undefined) throw new Error("There is no policy to bench");
  console.log("agent: the other bounds at their defaults, explored with the plain reducer");
  for (const { bound, sizes } of growths) {
    for (const size of sizes) {
      const explorer = new Explorer(agentModel({ policy, bounds: { ...defaultBounds, [bound]: size } }));
      const start = performance.now();
      const { outcome, states, edges, bytesPerState } = await explorer.run();
      const seconds = (performance.now() - start) / 1_000;
      if (outcome !== "proved") throw new Error(`${bound} ${size} is ${outcome}`);
      const rates = `${thousands(states / seconds)} states/s, ${thousands(edges / seconds)} edges/s`;
      console.log(
        `  ${`${bound} ${size}`.padEnd(16)}${String(states).padStart(9)} states  ${rates}, ${Math.round(bytesPerState)} bytes a state`,
      );
    }
  }
}

function thousands(count: number): string {
  return `${Math.round(count / 1_000)} k`;
}
