/**
 * What a controller and its signal cost: made and asked, and made, listened to and aborted; ours, as code under test
 * gets them, beside Node's own. Only the ratios count: machines are shared.
 */
import { VirtualAbortController } from "../sim/native/abort.ts";
import { median } from "./median.ts";

type Controller = {
  readonly signal: { readonly aborted: boolean; addEventListener(type: "abort", listener: () => void): void };
  abort(reason: unknown): void;
};
type Use = (make: () => Controller) => boolean;

const uses = 20_000;
const rounds = 9;
let heard = 0;
const listener = (): void => {
  heard++;
};

const cases: readonly (readonly [label: string, use: Use])[] = [
  ["made and asked", (make) => make().signal.aborted],
  [
    "made and aborted",
    (make) => {
      const controller = make();
      controller.abort("enough");
      return controller.signal.aborted;
    },
  ],
  [
    "listened to and aborted",
    (make) => {
      const controller = make();
      controller.signal.addEventListener("abort", listener);
      controller.abort("enough");
      return controller.signal.aborted;
    },
  ],
];

const ours = (): Controller => new VirtualAbortController();
const theirs = (): Controller => new AbortController();

/** Prints for each use the time of both, and how many of ours go into one of Node's. */
export function benchAbort(): void {
  console.log(`abort: ${uses} controllers a round, median of ${rounds} rounds`);
  for (const [label, use] of cases) {
    const pairs = Array.from({ length: rounds }, () => ({ own: timeNs(use, ours), node: timeNs(use, theirs) }));
    const ratio = median(pairs.map(({ own, node }) => node / own));
    const [own, node] = [median(pairs.map((pair) => pair.own)), median(pairs.map((pair) => pair.node))];
    console.log(
      `  ${label.padEnd(24)}ours ${own.toFixed(0)} ns, Node ${node.toFixed(0)} ns, ratio ${ratio.toFixed(1)}`,
    );
  }
  if (heard !== 2 * rounds * uses) throw new Error(`${heard} aborts were heard`);
}

function timeNs(use: Use, make: () => Controller): number {
  const start = performance.now();
  for (let count = 0; count < uses; count++) use(make);
  return ((performance.now() - start) / uses) * 1_000_000;
}
