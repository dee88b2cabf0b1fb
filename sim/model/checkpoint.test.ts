import { expect, test } from "vitest";
import { CheckpointError, checkpoint, resume } from "./checkpoint.ts";
import { Explorer } from "./explorer.ts";
import { graphModel, moves } from "./testing/graph.ts";
import { toy } from "./testing/toy.ts";

const stateLimit = 20_000;

async function half(): Promise<Uint8Array> {
  const explorer = new Explorer(toy);
  await explorer.run({ stateLimit: stateLimit / 3 });
  return checkpoint(explorer);
}

test("resume() goes on to the result and the bytes of an uninterrupted run", async () => {
  const whole = new Explorer(toy);
  const result = await whole.run({ stateLimit });
  const resumed = resume(toy, await half());
  expect(resumed.progress().states).toBe(Math.ceil(stateLimit / 3));
  expect(await resumed.run({ stateLimit })).toStrictEqual(result);
  expect(Buffer.compare(checkpoint(resumed), checkpoint(whole))).toBe(0);
});

test("the same model gives the same bytes", async () => {
  expect(Buffer.compare(await half(), await half())).toBe(0);
});

test("an ended exploration can be resumed, one with a violation cannot be kept", async () => {
  const graph = [moves("a>1"), moves("a>0")];
  const ended = new Explorer(graphModel(graph));
  const result = await ended.run();
  expect(await resume(graphModel(graph), checkpoint(ended)).run()).toStrictEqual(result);
  const broken = new Explorer(
    graphModel(graph, { quiescent: () => false, always: [{ name: "a", violation: () => "b" }] }),
  );
  await broken.run();
  expect(() => checkpoint(broken)).toThrow('Cannot make a checkpoint of "graph": it ended with a violation');
});

test("resume() refuses what is no checkpoint, or a damaged one", async () => {
  const bytes = await half();
  expect(() => resume(toy, new Uint8Array(3))).toThrow(CheckpointError);
  expect(() => resume(toy, new Uint8Array(99))).toThrow('expected "microloom model checkpoint 1" at the start');
  for (const at of [40, 400, bytes.length - 1]) {
    const damaged = Uint8Array.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    expect(() => resume(toy, damaged)).toThrow(/expected the checksum \d+, found \d+; the bytes are damaged/);
  }
  expect(() => resume(toy, bytes.subarray(0, bytes.length - 8))).toThrow(CheckpointError);
});

test("resume() refuses the checkpoint of another model", async () => {
  const bytes = await half();
  expect(() => resume({ ...toy, name: "other" }, bytes)).toThrow(
    'Cannot resume "other": it belongs to another model; expected model "other", found "toy agent"',
  );
  expect(() => resume({ ...toy, bounds: { ...toy.bounds, queued: 8 } }, bytes)).toThrow("expected bounds");
  expect(() => resume({ ...toy, goals: [] }, bytes)).toThrow("expected goals []");
  expect(() => resume({ ...toy, initial: { ...toy.initial, budget: 9 } }, bytes)).toThrow("another initial state");
});
