import { expect, test, vi } from "vitest";
import { search } from "../../sim/search.ts";
import { mutantNamed } from "./model/testing/refute.ts";
import { inPlace } from "./mutants/testing/in-place.ts";
import { coreAgent } from "./scenarios.ts";
import { cancel, type Script, send } from "./script.ts";

vi.mock(import("../../core/agent/transition.ts"), async (original) => {
  const { delegating } = await import("./mutants/testing/in-place.ts");
  return delegating(await original());
});

const end = { type: "turn/end", turn: 1, reason: { kind: "completed" } } as const;

/** What breaks each promise, and when. */
const broken: readonly (readonly [promise: string, mutant: string, script: Script])[] = [
  [
    "agent/nothing-lost-on-fault",
    "forgets a refused record",
    [send("a"), { type: "write-failed", record: end }, send("b")],
  ],
  ["agent/log-rebuilds-inbox", "retracts without a note", [send("a", "queue"), { type: "retract", id: "a" }]],
  ["agent/idle-cancel-arms-nothing", "arms a stop at idle", [cancel("stop", { keepInbox: true })]],
];

test("promisingCore() has the world see what only the core can promise", async () => {
  for (const [promise, mutant, script] of broken) {
    const options = { script, strategy: "first-come" } as const;
    const seen = await inPlace(mutantNamed(mutant), () => search(coreAgent, options));
    expect(seen).toMatchObject({ outcome: "violated", violation: { name: promise } });
    expect(await search(coreAgent, options)).toMatchObject({ outcome: "held" });
  }
});
