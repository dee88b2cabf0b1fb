/**
 * Defect: a retry whose back-off crosses a success. The first attempt was carried out and only its answer was lost. The
 * ledger knows a repetition by its key; but once a webhook has settled the payment, a janitor forgets the key, and an
 * attempt that is already on its way is carried out again.
 */
import { type Outside, type Program, type Step, traffic } from "../program.ts";

const attemptsMost = 3;
const backOffMs = 100;

export const retryBackoff: Program = {
  name: "retryBackoff",
  start(outside) {
    const ledger = new Ledger();
    outside.actor("payment", (step) => pay(outside, step, ledger));
    outside.actor("janitor", async (step) => {
      await traffic(step, "old keys", 3, "sweep");
      await step("forget keys", { reads: ["settled"], writes: ["ledger"] });
      ledger.forgetSettled();
    });
    outside.actor("webhook", async (step) => {
      await traffic(step, "provider", 2, "deliver");
      await step("settle", { reads: ["ledger"], writes: ["settled"] });
      ledger.settle();
    });
    outside.actor("shop", (step) => traffic(step, "shop", 8, "request"));
    outside.atEnd("charged once", () => ledger.charges <= 1 || `charged ${ledger.charges} times`);
    return () => ledger.look();
  },
};

async function pay(outside: Outside, step: Step, ledger: Ledger): Promise<void> {
  for (let attempt = 1; attempt <= attemptsMost; attempt++) {
    await step(`attempt ${attempt}`, { writes: ["ledger"] });
    ledger.charge();
    // The answers of the first two are lost on their way.
    if (attempt === attemptsMost) return;
    await outside.sleep(backOffMs * 2 ** (attempt - 1));
    await step("look", { reads: ["settled"] });
    if (ledger.settled) return;
  }
}

class Ledger {
  #known = false;
  #settled = false;
  #charges = 0;

  get charges(): number {
    return this.#charges;
  }

  get settled(): boolean {
    return this.#settled;
  }

  charge(): void {
    if (this.#known) return;
    this.#known = true;
    this.#charges++;
  }

  settle(): void {
    this.#settled = this.#known;
  }

  forgetSettled(): void {
    if (this.#settled) this.#known = false;
  }

  look(): unknown {
    return [this.#known, this.#settled, this.#charges];
  }
}
