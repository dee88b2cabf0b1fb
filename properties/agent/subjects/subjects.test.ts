import { describe, expect, test } from "vitest";
import type { Message, TurnRecord } from "../../../core/agent/state.ts";
import type { AgentPorts, AgentUnderTest, StepCall } from "../ports.ts";
import { type Preset, presets } from "../script.ts";
import { ByTheBook } from "./by-the-book.ts";
import { FirstCauseDecidesDispose } from "./first-cause-decides-dispose.ts";
import { FreshControllerAtBoundary } from "./fresh-controller-at-boundary.ts";
import { IdlesOnCancel } from "./idles-on-cancel.ts";
import { KeepsLatchOnClear } from "./keeps-latch-on-clear.ts";
import { LatchesEveryWake } from "./latches-every-wake.ts";
import { LatchesWhenDisposed } from "./latches-when-disposed.ts";
import { LooksThenLeaves } from "./looks-then-leaves.ts";
import { ParksLateWakes } from "./parks-late-wakes.ts";
import { ParksLateWakesMaintenance } from "./parks-late-wakes-maintenance.ts";
import { ReplaysByPromise } from "./replays-by-promise.ts";

type OpenStep = StepCall & { readonly finish: () => void };

/** Ports without a simulator: what the agent did is a list, and a step ends when the test says so, or at an abort. */
function handMade() {
  const log: string[] = [];
  const steps: OpenStep[] = [];
  const ports: AgentPorts = {
    append: async (record) => {
      if (record.type === "turn/start" || record.type === "turn/end") log.push(lineOf(record));
    },
    propose: async ({ messages }) => ({ kind: "enter", messages }),
    runStep: (step) =>
      new Promise((resolve, reject) => {
        log.push(`step ${step.turn}.${step.step} ${step.messages.map(({ id }) => id).join(" ")}`.trim());
        steps.push({
          ...step,
          finish: () => (step.signal.aborted ? reject(step.signal.reason) : resolve("completed")),
        });
      }),
    onStatus: (status) => log.push(status),
    onRemoved: ({ id }, outcome) => log.push(`${id} ${outcome}`),
  };
  return { log, steps, ports };
}

function lineOf(record: TurnRecord): string {
  return record.type === "turn/start" ? `start ${record.turn}` : `end ${record.turn} ${record.reason.kind}`;
}

function message(id: string, preset: Preset = "followUp"): Message {
  return { id, ...presets[preset] };
}

/** Lets everything run that waits for nothing but microtasks. */
async function settle(): Promise<void> {
  for (let tick = 0; tick < 50; tick++) await Promise.resolve();
}

/** Lets the oldest open step end. */
async function finish(steps: OpenStep[]): Promise<void> {
  steps.shift()?.finish();
  await settle();
}

// Without GuardsIdleWake, which starts by a timer: it is run where time is virtual.
const subjects: readonly (new (ports: AgentPorts) => Required<AgentUnderTest>)[] = [
  ByTheBook,
  FirstCauseDecidesDispose,
  FreshControllerAtBoundary,
  IdlesOnCancel,
  KeepsLatchOnClear,
  LatchesEveryWake,
  LatchesWhenDisposed,
  LooksThenLeaves,
  ParksLateWakes,
  ParksLateWakesMaintenance,
  ReplaysByPromise,
];

for (const Subject of subjects) {
  describe(Subject.name, () => {
    const make = (ports: AgentPorts) => new Subject(ports);

    test("runs prompts one by one in one driver, and steering in the step after", async () => {
      const { log, steps, ports } = handMade();
      const agent = make(ports);
      agent.send(message("a"));
      await settle();
      agent.send(message("b"));
      agent.send(message("c", "steer"));
      for (let step = 1; step <= 3; step++) await finish(steps);
      await agent.whenIdle();
      expect(log).toEqual([
        ...["running", "start 1", "a claimed", "step 1.1 a", "c claimed", "step 1.2 c", "end 1 completed"],
        ...["start 2", "b claimed", "step 2.1 b", "end 2 completed", "idle"],
      ]);
    });

    test("leaves context and parked work alone until the next wake", async () => {
      const { log, steps, ports } = handMade();
      const agent = make(ports);
      agent.send(message("a"));
      await settle();
      agent.send(message("b", "queue"));
      agent.send(message("c", "inject"));
      agent.cancel("stop", { keepInbox: true });
      await finish(steps);
      expect(log.splice(0)).toEqual(["running", "start 1", "a claimed", "step 1.1 a", "end 1 aborted", "idle"]);
      agent.send(message("d", "steer"));
      await settle();
      expect(log).toEqual(["running", "start 2", "c claimed", "d claimed", "b claimed", "step 2.1 c d b"]);
    });

    test("opens an empty turn for a wake that is taken back, and clears what it is told to clear", async () => {
      const { log, ports } = handMade();
      const agent = make(ports);
      agent.send(message("a"));
      agent.retract("a");
      agent.send(message("b", "inject"));
      agent.cancel("stop", { keepInbox: false });
      await settle();
      expect(log).toEqual(["running", "start 1", "a canceled", "b canceled", "end 1 aborted", "idle"]);
    });

    test("parks what waits behind a turn that failed", async () => {
      const { log, ports } = handMade();
      const agent = make({ ...ports, runStep: () => Promise.reject(new Error("no model")) });
      agent.send(message("a"));
      agent.send(message("b"));
      await settle();
      // Whoever latches every wake has latched this one, too.
      const replayed = ["running", "start 2", "b claimed", "end 2 failed", "idle"];
      expect(log).toEqual([
        ...["running", "start 1", "a claimed", "end 1 failed", "idle"],
        ...(Subject === LatchesEveryWake ? replayed : []),
      ]);
    });

    test("runs maintenance when nothing runs, and what was sent meanwhile after it", async () => {
      const { log, steps, ports } = handMade();
      const agent = make(ports);
      let finishTask = (): void => {};
      const task = new Promise<void>((resolve) => {
        finishTask = resolve;
      });
      const maintenance = agent.runMaintenance(() => task);
      agent.send(message("a"));
      await expect(agent.runMaintenance(() => task)).rejects.toThrow("Cannot run maintenance");
      await settle();
      expect(log).toEqual([]);
      finishTask();
      await maintenance;
      await settle();
      expect(log.splice(0)).toEqual(["running", "start 1", "a claimed", "step 1.1 a"]);
      await finish(steps);
      expect(log).toEqual(["end 1 completed", "idle"]);
    });

    test("ends at dispose(), and starts nothing afterwards", async () => {
      const { log, steps, ports } = handMade();
      const agent = make(ports);
      agent.send(message("a"));
      await settle();
      agent.send(message("b"));
      let isDisposed = false;
      const disposed = Promise.resolve(agent.dispose()).then(() => {
        isDisposed = true;
      });
      await settle();
      expect(isDisposed).toBe(false);
      await finish(steps);
      await disposed;
      agent.send(message("c"));
      await settle();
      expect(log).toEqual(["running", "start 1", "a claimed", "step 1.1 a", "end 1 aborted", "idle"]);
      await expect(agent.runMaintenance(async () => {})).rejects.toThrow("Cannot run maintenance");
    });

    test("writes a record that was refused before any later one", async () => {
      const { log, steps, ports } = handMade();
      const refusals = ["turn/start", "turn/end"];
      const agent = make({
        ...ports,
        append: async (record) => {
          if (record.type !== refusals[0]) return ports.append(record);
          refusals.shift();
          log.push(`refused ${record.type}`);
          throw new Error("The disk is full");
        },
      });
      agent.send(message("a"));
      await settle();
      expect(log.splice(0)).toEqual(["running", "refused turn/start", "idle"]);
      agent.send(message("b"));
      await settle();
      await finish(steps);
      expect(log.splice(0)).toEqual(["running", "start 1", "a claimed", "step 1.1 a", "refused turn/end", "idle"]);
      agent.send(message("c"));
      await settle();
      expect(log).toEqual(["running", "end 1 completed", "start 2", "b claimed", "step 2.1 b"]);
    });
  });
}

/** A wake that is sent while a stopped step is being torn down. */
async function sendInConvergence(make: (ports: AgentPorts) => AgentUnderTest): Promise<readonly string[]> {
  const { log, steps, ports } = handMade();
  const agent = make(ports);
  agent.send(message("a"));
  await settle();
  agent.cancel("stop", { keepInbox: true });
  agent.send(message("b"));
  await finish(steps);
  return log.slice(4);
}

test("ParksLateWakes forgets a wake that is sent while a stop converges", async () => {
  expect(await sendInConvergence((ports) => new ParksLateWakes(ports))).toEqual(["end 1 aborted", "idle"]);
});

test("LooksThenLeaves replays a wake that is sent while a stop converges", async () => {
  expect(await sendInConvergence((ports) => new LooksThenLeaves(ports))).toEqual([
    ...["end 1 aborted", "idle", "running", "start 2", "b claimed", "step 2.1 b"],
  ]);
});

test("IdlesOnCancel opens a turn inside the turn that is being stopped", async () => {
  expect(await sendInConvergence((ports) => new IdlesOnCancel(ports))).toEqual([
    ...["start 2", "b claimed", "step 2.1 b", "end 1 aborted"],
  ]);
});
