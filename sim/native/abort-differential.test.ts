import { expect, test } from "vitest";
import { Random, streamSeed } from "../random.ts";
import { runEventProgram } from "../testing/event-program.ts";
import { VirtualAbortController, VirtualAbortSignal } from "./abort.ts";
import { VirtualEventTarget } from "./event-target.ts";

const programs = 2_000;
const seed = "event programs";
const ours = {
  EventTarget: VirtualEventTarget,
  AbortController: VirtualAbortController,
  AbortSignal: VirtualAbortSignal,
};
const nodes = { EventTarget, AbortController, AbortSignal };

test(`the virtual classes log in ${programs} random programs what Node's own log`, async () => {
  const random = new Random(streamSeed(seed, "world"));
  let lines = 0;
  for (let program = 0; program < programs; program++) {
    random.restart(program);
    const expected = await runEventProgram(random, nodes);
    random.restart(program);
    const actual = await runEventProgram(random, ours);
    expect(actual, `program ${program} of "${seed}"`).toEqual(expected);
    lines += actual.length;
  }
  expect(lines).toBeGreaterThan(programs * 20);
});
