/** Whole outputs, as a reader sees them: one for each way to break. `npx vitest run reports/golden -u` records them again. */
import { expect, test } from "vitest";
import { explore } from "../repro/explore.ts";
import type { ViolationKind } from "../sim/result.ts";
import { renderExplore } from "./explore.ts";
import { breaking } from "./testing/breaking.ts";

const options = { color: false, full: false, command: "npx microloom", replayArguments: "repro.json shop.scenario.ts" };

// To see a livelock takes a second each time, and its schedules are not tried by the hundred.
const kinds: readonly ViolationKind[] = ["always", "quiescence", "error", "stuck", "liveness", "livelock"];
const all = kinds.flatMap((kind) => [[kind, "bug"] as const, [kind, "fragile"] as const]);

test.each(all)(
  "renderExplore() answers three questions about %s, %s",
  async (kind, verdict) => {
    const subject = breaking(kind, verdict);
    const result = await explore(subject, { level: verdict === "bug" ? "spec" : "jitter" });
    expect(result).toMatchObject({ outcome: "violated", verdict, violation: { kind } });
    const lines = renderExplore(subject.name, result, options);
    expect(lines.length).toBeLessThanOrEqual(40);
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`golden/${kind}-${verdict}.txt`);
  },
  60_000,
);
