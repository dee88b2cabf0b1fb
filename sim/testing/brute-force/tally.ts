/** Counts what a campaign over random programs has met: one that meets no violations and no reduction shows little. */
import type { Checked } from "./check.ts";

export class Tally {
  readonly #checked: Checked[] = [];
  #tooLarge = 0;

  add(checked: Checked | null): void {
    if (checked === null) this.#tooLarge++;
    else this.#checked.push(checked);
  }

  get programs(): number {
    return this.#checked.length;
  }

  /** Programs that had every class of theirs compared, one by one. */
  get compared(): number {
    return this.#checked.filter(({ cutOff }) => !cutOff).length;
  }

  sum(count: "orders" | "classes" | "executions" | "blocked"): number {
    return this.#checked.reduce((sum, checked) => sum + checked[count], 0);
  }

  /** Programs by what they break: a program counts once for each kind. */
  violations(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const kind of this.#checked.flatMap(({ violations }) => violations)) counts[kind] = (counts[kind] ?? 0) + 1;
    return counts;
  }

  describe(): string {
    const ratios = this.#checked.map(({ orders, classes }) => orders / classes).sort((one, other) => one - other);
    const ratio = (part: number): string => (ratios[Math.floor(part * (ratios.length - 1))] ?? 0).toFixed(1);
    const certified = (of: string): number => this.#checked.filter((checked) => checked.of === of).length;
    const broken = Object.entries(this.violations()).map(([kind, count]) => `${count} ${kind}`);
    return [
      `${this.programs} programs, ${this.#tooLarge} too large`,
      `${this.sum("orders")} orders in ${this.sum("classes")} classes; orders per class: median ${ratio(0.5)}, nine in ten below ${ratio(0.9)}, most ${ratio(1)}`,
      `${this.sum("executions")} executions, ${this.sum("blocked")} of them blocked`,
      `certified: ${certified("classes")} of classes, ${certified("orders")} of orders, ${certified("nothing")} of nothing`,
      `programs that break something: ${broken.join(", ")}; cut off: ${this.programs - this.compared}`,
    ].join("\n");
  }
}
