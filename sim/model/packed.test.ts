import { expect, test } from "vitest";
import { Explorer } from "./explorer.ts";
import { askPlain, disagreement, type PackedReducer } from "./packed.ts";
import { toy, toyPacked } from "./testing/toy.ts";

const stateLimit = 60_000;

test("a packed reducer finds the same states, edges and depth, and proves nothing", async () => {
  const plain = new Explorer(toy);
  const packed = new Explorer(toy, toyPacked);
  const [slow, fast] = [await plain.run(), await packed.run()];
  expect(slow.outcome).toBe("proved");
  expect(slow.states).toBe(1_843_064);
  expect([fast.outcome, fast.why]).toEqual([
    "incomplete",
    "surveyed with a packed reducer: found nothing, proved nothing",
  ]);
  const size = ({ states, edges, depth, bytesPerState }: typeof slow) => ({ states, edges, depth, bytesPerState });
  expect(size(fast)).toEqual(size(slow));
});

test("disagreement() compares every successor", async () => {
  const plain = new Explorer(toy);
  await plain.run({ stateLimit });
  expect(disagreement(plain.explored, toyPacked)).toBe(null);
  const wrong: PackedReducer = {
    ...toyPacked,
    expand(states, at, successors) {
      const count = toyPacked.expand(states, at, successors);
      if (count > 3) successors[2] = (successors[2] ?? 0) ^ 1;
      return count;
    },
  };
  expect(disagreement(plain.explored, wrong)).toMatch(/^state \d+: /);
  const fewer: PackedReducer = { ...toyPacked, expand: (...args) => toyPacked.expand(...args) - 1 };
  expect(disagreement(plain.explored, fewer)).toMatch(/inputs plain, \d+ packed$/);
});

test("where a packed reducer asks, the plain one judges", async () => {
  const suspicious: PackedReducer = {
    ...toyPacked,
    expand: (states, at, successors) =>
      ((states[at] ?? 0) & 7) === 2 ? askPlain : toyPacked.expand(states, at, successors),
  };
  const never = {
    name: "never approved",
    violation: ({ phase }: typeof toy.initial) => (phase === "approved" ? phase : null),
  };
  const model = { ...toy, always: [never] };
  const [slow, fast] = [await new Explorer(model).run(), await new Explorer(model, suspicious).run()];
  expect(slow.outcome).toBe("violated");
  expect(fast).toStrictEqual({ ...slow, goals: fast.goals });
  // The same where only the broken state itself is asked about.
  const late: PackedReducer = {
    ...toyPacked,
    expand: (states, at, successors) =>
      ((states[at] ?? 0) & 7) === 3 ? askPlain : toyPacked.expand(states, at, successors),
  };
  const found = await new Explorer(model, late).run();
  expect([found.violation, found.counterexample]).toStrictEqual([slow.violation, slow.counterexample]);
});
