/** `npm run fuzz`: random programs on Node's own loop and inside both engines, Node's own event classes and ours. */
import { parseArgs } from "node:util";
import type { Engines } from "../engine-choice.ts";
import { VirtualAbortController, VirtualAbortSignal } from "../native/abort.ts";
import { VirtualEventTarget } from "../native/event-target.ts";
import { Random, streamSeed } from "../random.ts";
import { runEventProgram } from "../testing/event-program.ts";
import { type Compared, comparePrograms } from "./compare.ts";
import { describeMismatch } from "./describe.ts";
import { Draws } from "./draws.ts";
import { type Program, programOf } from "./program.ts";
import { shrinkDraws } from "./shrink.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "fuzz" },
    programs: { type: "string", default: "100000" },
    from: { type: "string", default: "0" },
    events: { type: "string", default: "20000" },
    engine: { type: "string", default: "both" },
  },
});
const engines = enginesOf(values.engine);
const random = new Random(streamSeed(values.seed, "world"));
const chunk = 100;
const start = performance.now();

process.stdout.write(
  `Node ${process.version}, seed "${values.seed}", ${engines.map((engine) => `${engine} engine`).join(" and ")}\n`,
);
process.exitCode = (await fuzzPrograms()) && (await fuzzEvents()) ? 0 : 1;

async function fuzzPrograms(): Promise<boolean> {
  const until = Number(values.from) + Number(values.programs);
  let lines = 0;
  let repeats = 0;
  let failures = 0;
  for (let from = Number(values.from); from < until; from += chunk) {
    const drawn = Array.from({ length: Math.min(chunk, until - from) }, (_, index) => drawsOf(from + index));
    const all = await comparePrograms(
      drawn.map(({ program }) => program),
      engines,
    );
    for (const [index, compared] of all.entries()) {
      lines += compared.onNode.log.length;
      repeats += compared.repeats;
      if (compared.onNode.failure !== null) failures++;
      if (compared.differs === null) continue;
      const { seed } = values;
      process.stdout.write(
        `\nprogram ${from + index} of seed "${seed}" differs on the ${compared.differs.engine} engine\n\n`,
      );
      process.stdout.write(describeMismatch(await shrunk(drawn[index]?.kept ?? [], compared)));
      process.stdout.write(
        `\n\nAgain: npm run fuzz -- --seed ${seed} --from ${from + index} --programs 1 --engine ${compared.differs.engine}\n`,
      );
      return false;
    }
    if ((from + chunk) % 2_000 === 0) progress(`${from + chunk} of ${until} programs`);
  }
  progress(`${until} programs, ${lines} lines, ${failures} with a failure, ${repeats} repeated: no mismatch`);
  return true;
}

function drawsOf(number: number): { readonly program: Program; readonly kept: readonly number[] } {
  random.restart(number);
  const draws = Draws.fresh(random);
  return { program: programOf(draws), kept: draws.kept };
}

async function shrunk(kept: readonly number[], found: Compared): Promise<Compared> {
  let smallest = found;
  const engine = found.differs?.engine;
  if (engine === undefined) return found;
  await shrinkDraws(kept, async (candidate) => {
    const [compared] = await comparePrograms([programOf(Draws.again(candidate))], [engine]);
    if (compared === undefined || compared.differs === null) return false;
    smallest = compared;
    return true;
  });
  return smallest;
}

async function fuzzEvents(): Promise<boolean> {
  const count = Number(values.events);
  const ours = {
    EventTarget: VirtualEventTarget,
    AbortController: VirtualAbortController,
    AbortSignal: VirtualAbortSignal,
  };
  const nodes = { EventTarget, AbortController, AbortSignal };
  for (let number = 0; number < count; number++) {
    random.restart(number);
    const expected = await runEventProgram(random, nodes);
    random.restart(number);
    const actual = await runEventProgram(random, ours);
    if (expected.join("\n") !== actual.join("\n")) {
      process.stdout.write(`\nevent program ${number} of seed "${values.seed}" differs\n`);
      process.stdout.write(`\nNode's classes:\n  ${expected.join("\n  ")}\n\nours:\n  ${actual.join("\n  ")}\n`);
      return false;
    }
  }
  progress(`${count} event programs: no mismatch`);
  return true;
}

function enginesOf(asked: string): readonly Engines[] {
  if (asked === "both") return ["native", "microtask"];
  if (asked === "native" || asked === "microtask") return [asked];
  throw new Error(`Cannot fuzz --engine ${asked}: expected native, microtask or both`);
}

function progress(what: string): void {
  process.stdout.write(`${what}, ${((performance.now() - start) / 1_000).toFixed(1)} s\n`);
}
