import fc from "fast-check";
import { expect, test } from "vitest";
import { refusalText } from "../messages/index.ts";
import { InputError } from "../shape.ts";
import { nextDeadlineMs } from "./deadline.ts";
import { createLeaseScheduler } from "./host.ts";
import { mayWrite } from "./may-write.ts";
import { defaultPolicy, initialState } from "./state.ts";
import { show } from "./testing/invariants.ts";
import { transition } from "./transition.ts";

const file = { kind: "file", path: "a" };
const request = {
  type: "request",
  call: "c",
  owner: "o",
  footprint: file,
  atMs: 0,
  needsApproval: false,
  aborted: false,
};
const spawn = { type: "spawn", child: "k", owner: "o", paths: ["a"], atMs: 0 };

/** As a caller without types would. */
const untyped = (callee: (...given: never[]) => unknown, ...given: readonly unknown[]): unknown =>
  Reflect.apply(callee, undefined, given);

test.each([
  undefined,
  null,
  "tick",
  42,
  {},
  { type: "unlock" },
  { type: "__proto__" },
  { type: "constructor" },
  { type: "tick" },
  { type: "tick", atMs: Number.NaN },
  { type: "tick", atMs: "0" },
  { type: "deny" },
  { type: "deny", call: "" },
  { type: "deny", call: Object.create(null) },
  { type: "approve", call: 7, atMs: 0 },
  { type: "release", call: "c" },
  { type: "release", call: "c", fence: Number.NaN },
  { type: "finish", child: null, fence: 1 },
  { type: "close", owner: Symbol("o"), atMs: 0 },
  { ...request, call: undefined },
  { ...request, footprint: undefined },
  { ...request, footprint: { kind: "folder", path: "a" } },
  { ...request, footprint: { kind: "file" } },
  { ...request, footprint: { kind: "file", path: 1 } },
  { ...request, needsApproval: "yes" },
  { ...request, aborted: undefined },
  { ...request, atMs: Number.POSITIVE_INFINITY },
  { ...spawn, paths: "a" },
  { ...spawn, paths: ["a", null] },
])("transition() with %j throws InputError and moves nothing", (input) => {
  const state = initialState();
  expect(() => untyped(transition, defaultPolicy, state, input)).toThrow(InputError);
  expect(state).toEqual(initialState());
});

test.each([
  undefined,
  {},
  { ...defaultPolicy, waitLimitMs: Number.NaN },
  { ...defaultPolicy, stuckLimitMs: 10n },
  { ...defaultPolicy, stuckLimitMs: Number.POSITIVE_INFINITY },
  { ...defaultPolicy, caseSensitive: "no" },
  { ...defaultPolicy, conflict: "wait" },
  { ...defaultPolicy, queue: "lifo" },
])("a policy %o is refused by every function that takes one", (policy) => {
  const state = initialState();
  expect(() => untyped(transition, policy, state, { type: "tick", atMs: 0 })).toThrow(InputError);
  expect(() => untyped(nextDeadlineMs, policy, state)).toThrow(InputError);
  expect(() => untyped(mayWrite, policy, state, { holder: "c", path: "a", fence: 1 })).toThrow(InputError);
});

test.each([
  undefined,
  null,
  {},
  JSON.parse(JSON.stringify(initialState())),
  { ...initialState(), nextFence: Number.NaN },
])("a state %o is refused", (state) => {
  expect(() => untyped(transition, defaultPolicy, state, { type: "tick", atMs: 0 })).toThrow(InputError);
});

test("mayWrite() and initialState() refuse wrong shapes", () => {
  for (const use of [
    undefined,
    {},
    { holder: "c", path: 1, fence: 1 },
    { holder: "c", path: "a", fence: Number.NaN },
  ]) {
    expect(() => untyped(mayWrite, defaultPolicy, initialState(), use)).toThrow(InputError);
  }
  expect(() => initialState(Number.NaN)).toThrow(InputError);
  expect(() => untyped(initialState, "1")).toThrow(InputError);
});

test("refusalText() refuses wrong shapes", () => {
  const cancelled = { type: "cancelled", call: "c" };
  expect(() => untyped(refusalText, cancelled, "fr")).toThrow(InputError);
  expect(() => untyped(refusalText, undefined, "en")).toThrow(InputError);
  expect(() => untyped(refusalText, { type: "granted", call: "c", fence: 1 }, "en")).toThrow(InputError);
  expect(() => untyped(refusalText, { type: "refused", reason: "denied" }, "en")).toThrow(InputError);
  const unknown = { type: "refused", reason: "__proto__", input: { type: "deny", call: "c" } };
  expect(() => untyped(refusalText, unknown, "en")).toThrow(InputError);
});

test("the message says where, what was expected, what was found and what to do", () => {
  expect(() => untyped(transition, defaultPolicy, initialState(), { ...request, call: 7 })).toThrow(
    "Cannot use input.call: expected non-empty string, found 7; correct it",
  );
  expect(() => untyped(transition, defaultPolicy, initialState(), { type: "unlock" })).toThrow(
    'Cannot use input.type: expected request or approve or deny or release or abort or tick or spawn or finish or close, found "unlock"',
  );
});

test("the host meets untyped callers with InputError and goes on working", async () => {
  const approve = () => Promise.resolve(true);
  const { signal } = new AbortController();
  const asked = { call: "c", owner: "o", footprint: file, signal };
  expect(() => untyped(createLeaseScheduler)).toThrow(InputError);
  expect(() => untyped(createLeaseScheduler, {})).toThrow(InputError);
  expect(() => untyped(createLeaseScheduler, { approve, clock: {} })).toThrow(InputError);
  expect(() => untyped(createLeaseScheduler, { approve }, { waitLimitMs: undefined })).toThrow(InputError);
  expect(() => untyped(createLeaseScheduler, { approve }, {}, "1")).toThrow(InputError);
  const scheduler = createLeaseScheduler({ approve });
  const wrong = [
    undefined,
    {},
    { ...asked, signal: undefined },
    { ...asked, call: 1 },
    { ...asked, footprint: "file" },
  ];
  for (const options of wrong) await expect(untyped(scheduler.acquire, options)).rejects.toBeInstanceOf(InputError);
  expect(() => untyped(scheduler.spawn)).toThrow(InputError);
  expect(() => untyped(scheduler.spawn, { child: "k", owner: "o" })).toThrow(InputError);
  expect(() => untyped(scheduler.finish)).toThrow(InputError);
  expect(() => untyped(scheduler.close, 1)).toThrow(InputError);
  expect(() => untyped(scheduler.canWrite, undefined, "a")).toThrow(InputError);
  expect(() => untyped(scheduler.canWrite, { holder: "c", fence: 1 }, 7)).toThrow(InputError);
  expect(show(scheduler.state)).toBe(show(initialState()));
  const grant = await scheduler.acquire({ call: "c", owner: "o", footprint: { kind: "file", path: "a" }, signal });
  expect(grant.fence).toBe(1);
});

test("transition() either answers or throws InputError, whatever it is given", () => {
  const types = fc.constantFrom("request", "approve", "deny", "release", "abort", "tick", "spawn", "finish", "close");
  const anyField = fc.oneof(fc.anything(), fc.constantFrom("c", "k", 0, true, ["a"], file, "__proto__"));
  const keys = ["call", "owner", "child", "footprint", "paths", "atMs", "fence", "needsApproval", "aborted"];
  const fields = fc.record(Object.fromEntries(keys.map((key) => [key, anyField])));
  const state = initialState();
  fc.assert(
    fc.property(types, fields, (type, rest) => {
      try {
        untyped(transition, defaultPolicy, state, { ...rest, type });
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
      }
      expect(show(state)).toBe(show(initialState()));
    }),
    { numRuns: 1_000 },
  );
});
