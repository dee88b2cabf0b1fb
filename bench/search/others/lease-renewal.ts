/**
 * Defect: a leader counts its lease from the moment in which the answer to its renewal arrives, the store from the moment
 * in which the renewal arrived there. Where the answer is late, somebody else may lead already while the old leader, sure
 * of itself, still writes. Time is virtual.
 */
import { type Outside, type Program, type Step, traffic } from "../program.ts";

const leaseMs = 100;
const renewEveryMs = 60;
const pollEveryMs = 50;
const renewals = 2;

export const leaseRenewal: Program = {
  name: "leaseRenewal",
  start(outside) {
    const store = new LeaseStore();
    const belief = { untilMs: 0 };
    outside.actor("leader", (step) => lead(outside, step, store, belief));
    outside.actor("standby", async (step) => {
      await outside.sleep(leaseMs + 20);
      for (let poll = 1; poll <= 6; poll++) {
        await step("try to lead", { writes: ["store"] });
        if (store.take("standby", outside.nowMs())) return;
        await outside.sleep(pollEveryMs);
      }
    });
    for (const name of ["writer 1", "writer 2"]) {
      outside.actor(name, async (step) => {
        await traffic(step, name, 1, "request");
        await step("write", { reads: ["store", "belief"], writes: [name] });
        if (outside.nowMs() < belief.untilMs && store.holder === "standby") {
          outside.violated("the old leader wrote while another one leads");
        }
      });
    }
    outside.actor("client", (step) => traffic(step, "client", 4, "read"));
    return () => ({ ...store.look(), ...belief });
  },
};

async function lead(outside: Outside, step: Step, store: LeaseStore, belief: { untilMs: number }): Promise<void> {
  await step("acquire", { writes: ["store", "belief"] });
  if (!store.take("leader", outside.nowMs())) return;
  belief.untilMs = outside.nowMs() + leaseMs;
  for (let renewal = 1; renewal <= renewals; renewal++) {
    await outside.sleep(renewEveryMs);
    await step("renew", { writes: ["store"] });
    const renewed = store.renew("leader", outside.nowMs());
    await step("answer", { writes: ["belief"] });
    belief.untilMs = renewed ? outside.nowMs() + leaseMs : 0;
    if (!renewed) return;
  }
  await step("step down", { writes: ["store", "belief"] });
  belief.untilMs = 0;
  store.release("leader");
}

class LeaseStore {
  #holder: string | null = null;
  #untilMs = 0;

  get holder(): string | null {
    return this.#holder;
  }

  take(candidate: string, nowMs: number): boolean {
    if (this.#holder !== null && nowMs < this.#untilMs) return false;
    this.#holder = candidate;
    this.#untilMs = nowMs + leaseMs;
    return true;
  }

  renew(candidate: string, nowMs: number): boolean {
    if (this.#holder !== candidate || nowMs >= this.#untilMs) return false;
    this.#untilMs = nowMs + leaseMs;
    return true;
  }

  release(candidate: string): void {
    if (this.#holder === candidate) this.#holder = null;
  }

  look(): Readonly<Record<string, unknown>> {
    return { holder: this.#holder, heldUntilMs: this.#untilMs };
  }
}
