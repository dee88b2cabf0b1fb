/**
 * Defect: two-phase commit with a late vote. The deadline decides to abort, but says so only once that is logged; a vote
 * that arrives meanwhile makes the coordinator commit. Where the two broadcasts cross, participants end up apart.
 */
import { deferred } from "../deferred.ts";
import { type Program, type Step, traffic } from "../program.ts";

const participants = ["orders", "stock", "billing"] as const;
type Outcome = "commit" | "abort";

export const twoPhaseCommit: Program = {
  name: "twoPhaseCommit",
  start(outside) {
    const coordinator = new Coordinator();
    const applied = new Map<string, Outcome>();
    const broadcast = async (step: Step, outcome: Outcome): Promise<void> => {
      for (const participant of participants) {
        await step(`${outcome} ${participant}`, { writes: [participant] });
        // The first decision that arrives is final; a second one would be a repetition.
        if (!applied.has(participant)) applied.set(participant, outcome);
      }
    };
    for (const participant of participants) {
      outside.actor(participant, async (step) => {
        await step("prepare", { writes: [`log of ${participant}`] });
        await step("force log", { writes: [`log of ${participant}`] });
        await step("vote", { writes: ["decision"] });
        coordinator.vote();
      });
    }
    outside.actor("coordinator", async (step) => {
      if ((await coordinator.everybody) === "abort") return;
      await step("log commit", { writes: ["log"] });
      await broadcast(step, "commit");
    });
    outside.actor("deadline", async (step) => {
      await step("expire", { reads: ["decision"] });
      if (coordinator.complete) return;
      await step("log abort", { writes: ["decision", "log"] });
      coordinator.abort();
      await broadcast(step, "abort");
    });
    outside.actor("monitor", (step) => traffic(step, "health", 7, "ping"));
    outside.atEnd("all or nothing", () => new Set(applied.values()).size <= 1 || "some committed and some aborted");
    return () => [coordinator.look(), ...participants.map((participant) => applied.get(participant))];
  },
};

class Coordinator {
  readonly #decided = deferred<Outcome>();
  readonly everybody = this.#decided.promise;
  #votes = 0;
  #aborted = false;

  get complete(): boolean {
    return this.#votes === participants.length;
  }

  vote(): void {
    this.#votes++;
    if (this.complete && !this.#aborted) this.#decided.resolve("commit");
  }

  abort(): void {
    this.#aborted = true;
    this.#decided.resolve("abort");
  }

  look(): unknown {
    return [this.#votes, this.#aborted];
  }
}
