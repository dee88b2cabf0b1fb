/**
 * Random programs that carry two AsyncLocalStorages, `a` and `b`, through whatever asks for a job. None enters a storage
 * again within its own exit(): to the rest of that function, Node up to 23 does what nobody can want.
 */
import fc from "fast-check";

type Block = readonly string[];

const look = "look();";
const storage = fc.constantFrom("a", "b");
const store = fc.nat(9);

const leaf = fc.oneof(
  { weight: 4, arbitrary: fc.constant(look) },
  { weight: 3, arbitrary: fc.constantFrom("await null;", "await Promise.resolve();", "await (async () => {})();") },
  { weight: 2, arbitrary: fc.tuple(storage, store).map(([name, value]) => `${name}.enterWith(${value});`) },
  fc.constantFrom(
    "kept.push(AsyncLocalStorage.snapshot());",
    "resources.push(new AsyncResource('program'));",
    "resources.push(new Task());",
    "kept.at(-1)?.(look);",
    "kept[0]?.(look);",
    "bound.at(-1)?.();",
  ),
);
/** What stands before a block and after it. For most of them nobody waits. */
const around = fc.oneof(
  fc.constantFrom<readonly [string, string]>(
    ["await (async () => {", "})();"],
    ["void (async () => {", "})();"],
    ["await Promise.resolve().then(async () => {", "});"],
    ["Promise.reject(0).catch(async () => {", "});"],
    ["Promise.resolve().finally(async () => {", "});"],
    ["queueMicrotask(async () => {", "});"],
    ["nextTick(async () => {", "});"],
    ["for await (const value of generated()) {", "}"],
    ["resources.at(-1)?.runInAsyncScope(async () => {", "});"],
    ["bound.push(AsyncResource.bind(async () => {", "}));"],
    ["await Promise.all([1, 2].map(async () => {", "}));"],
    ["await (async () => {", "throw 0; })().catch(() => look());"],
  ),
  fc.tuple(storage, store).map(([name, value]) => [`await ${name}.run(${value}, async () => {`, "});"] as const),
  fc.tuple(storage, store).map(([name, value]) => [`void ${name}.run(${value}, async () => {`, "});"] as const),
);
const exits = fc
  .tuple(storage, fc.array(fc.constantFrom(look, "await null;"), { maxLength: 4 }))
  .map(([name, block]) => `await ${name}.exit(async () => { ${block.join(" ")} });`);

export const storagePrograms: fc.Arbitrary<string> = fc
  .letrec<{ readonly block: Block; readonly statement: string }>((tie) => ({
    block: fc.array(tie("statement"), { minLength: 1, maxLength: 5 }),
    statement: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      { weight: 4, arbitrary: leaf },
      {
        weight: 4,
        arbitrary: fc
          .tuple(around, tie("block"))
          .map(([[before, after], block]) => [before, ...block, look, after].join(" ")),
      },
      { weight: 1, arbitrary: exits },
    ),
  }))
  .block.map(programOf);

function programOf(block: Block): string {
  let looks = 0;
  const body = block.join("\n  ").replaceAll(look, () => `look(${++looks});`);
  return `
const [a, b] = [new AsyncLocalStorage(), new AsyncLocalStorage()];
const [kept, resources, bound] = [[], [], []];
class Task extends AsyncResource { constructor() { super("task"); } }
const look = (where = 0) => L(where + ": " + a.getStore() + " " + b.getStore());
async function* generated() { look(-1); yield 1; await null; look(-2); yield 2; look(-3); }
(async () => {
  ${body}
})();
`;
}
