/**
 * Source-DPOR with sleep sets (P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas, Source sets: a foundation for optimal dynamic
 * partial order reduction, JACM 2017): one execution of each class, where a class is all orders that differ only in the
 * order of independent deliveries. It runs something, looks which of its deliveries race, and tries those the other way
 * round. What is independent is said in `sim/dependence.ts`.
 *
 * Level spec only: inside a drain two deliveries are never independent.
 */
import type { Chooser, TraceStep } from "../execution.ts";
import type { Certificate } from "../result.ts";
import type { Ended, Exhausted, Strategy } from "../strategy.ts";
import { HappensBefore } from "./dpor/happens-before.ts";
import { familyOf, Pairs, pairsMost, samplesMost } from "./dpor/pairs.ts";
import { Path } from "./dpor/path.ts";
import { PathChooser } from "./dpor/path-chooser.ts";
import { demandReversals } from "./dpor/races.ts";

/** Families with undeclared touches that are told by name. */
const toldMost = 5;

export class Dpor implements Strategy {
  readonly name = "dpor";
  readonly active = "dpor";
  readonly detailed = true;
  readonly estimate = null;
  readonly #path = new Path();
  readonly #chooser = new PathChooser(this.#path);
  readonly #order = new HappensBefore();
  readonly #pairs = new Pairs();
  /** Families of deliveries that nothing was declared for. */
  readonly #undeclared = new Set<string>();
  #declares = false;
  #classes = 0;
  #blocked = 0;
  #started = false;
  #ended = false;
  #mostDeliveries = 0;

  next(): Chooser | null {
    if (this.#started && !this.#path.advance()) {
      this.#ended = true;
      return null;
    }
    this.#started = true;
    return this.again();
  }

  again(): Chooser {
    this.#chooser.restart();
    return this.#chooser;
  }

  ended(end: Ended): void {
    const chooser = this.#chooser;
    const { nodes, fresh } = this.#path;
    const { steps } = end.tell();
    chooser.end();
    if (chooser.blockedFrom === Number.POSITIVE_INFINITY) this.#classes++;
    else this.#blocked++;
    this.#mostDeliveries = Math.max(this.#mostDeliveries, end.deliveries);
    nodes.length = Math.min(nodes.length, steps.length);
    for (let at = fresh; at < nodes.length; at++) this.#learn(at, steps[at]);
    const count = Math.min(nodes.length, chooser.blockedFrom);
    this.#order.read(steps, fresh, count);
    demandReversals({ nodes, steps, order: this.#order }, fresh, count);
    this.#pairs.look(nodes, steps, fresh, count, chooser);
  }

  get exhausted(): Exhausted | null {
    if (!this.#ended || this.#chooser.lost) return null;
    const bounds: Certificate["bounds"] = { deliveries: this.#mostDeliveries };
    return {
      classes: this.#classes,
      of: this.#undeclared.size === 0 ? "classes" : "orders",
      blocked: this.#blocked,
      bounds,
      assumes: this.#assumes(),
      pairs: this.#pairs.found,
    };
  }

  #learn(at: number, step: TraceStep | undefined): void {
    const node = this.#path.nodes[at];
    if (node === undefined || step === undefined) return;
    const { name, source, touches, observed } = step;
    node.touching = { source, touches, observed };
    if (touches === null) this.#undeclared.add(familyOf(name));
    else this.#declares = true;
  }

  #assumes(): string[] {
    if (!this.#declares) return ["a delivery touches everything, so every order counts"];
    const { size } = this.#pairs;
    const bound = `${samplesMost} samples each, at most ${pairsMost} pairs`;
    const checked = size === 0 ? "" : `, as checked in both orders on ${counted(size)} of families (${bound})`;
    const assumes = [
      `declared touches are complete${checked}`,
      "`always` conditions and goals are judged in one order of independent deliveries, and in 64 random ones",
    ];
    if (this.#undeclared.size === 0) return assumes;
    const names = [...this.#undeclared].sort();
    const more = names.length - toldMost;
    const rest = more > 0 ? `, and ${more} more` : "";
    return [...assumes, `undeclared, so they touch everything: ${names.slice(0, toldMost).join(", ")}${rest}`];
  }
}

function counted(pairs: number): string {
  return pairs === 1 ? "1 pair" : `${pairs} pairs`;
}
