/**
 * Situations that are kept by name, because somebody was hurt in them: each with the driver that it is about, and the promise
 * that this one breaks there.
 */
import { restore } from "../../core/agent/restore.ts";
import type { AgentCommand, Message } from "../../core/agent/state.ts";
import { subagent } from "../../core/agent/subagent.ts";
import { type EventStep, type Scenario, scenario, type World } from "../../sim/scenario.ts";
import { always, atQuiescence } from "./contract.ts";
import { Recording } from "./history.ts";
import { makeOutside, type Outside, plainLabels } from "./outside.ts";
import type { AgentPorts, AgentUnderTest } from "./ports.ts";
import { type OutsidePorts, type RecordedAgent, recordAgent, recordPorts } from "./recorder.ts";
import { agentScenario } from "./scenarios.ts";
import { cancel, presets, type Script, send } from "./script.ts";

export type MakeSubject = (ports: AgentPorts) => AgentUnderTest;

export type KeptSituation = {
  readonly name: string;
  /** Who gets it wrong, and what breaks then. */
  readonly subject: string;
  readonly breaks: string;
  readonly scenario: (make: MakeSubject) => Scenario;
};

/** The agent as the world judges it, and what it has shown. */
export type Judged = { readonly agent: RecordedAgent; readonly recording: Recording };

/** Undefined where there is none. */
type Child = Parameters<typeof subagent.interrupt>[0];

const stop = cancel("stop", { keepInbox: true });
const clear = cancel("clear", { keepInbox: false });
const dispose: AgentCommand = { type: "dispose" };
const prompt = (id: string): Message => ({ id, ...presets.followUp });

export const keptSituations: readonly KeptSituation[] = [
  {
    name: "interrupt of an absent child, then of one at rest",
    subject: "a stop that waits for somebody to come",
    breaks: "agent/idle-cancel-arms-nothing",
    scenario: (make) => interrupted(make, "at rest"),
  },
  {
    name: "interrupt of a child that is gone without its parent's knowledge",
    subject: "latches-when-disposed",
    breaks: "agent/dispose-fence",
    scenario: (make) => interrupted(make, "gone"),
  },
  scripted("web stop keeps the queue", "fresh-controller-at-boundary", "agent/parked-stays-parked", [
    send("a"),
    send("b", "queue"),
    cancel("web stop", { keepInbox: true }),
  ]),
  {
    name: "send from an abort listener",
    subject: "parks-late-wakes",
    breaks: "agent/no-dropped-wake",
    scenario: sentByAbortListener,
  },
  scripted("re-send from a discard observer during a clearing cancel", "parks-late-wakes", "agent/no-dropped-wake", [
    { type: "inside", at: "canceled", do: send("b again") },
    send("a"),
    send("b"),
    clear,
  ]),
  scripted("stop from an observer of turn/end", "fresh-controller-at-boundary", "agent/parked-stays-parked", [
    { type: "inside", at: "turn/end", do: stop },
    send("a"),
    send("b"),
  ]),
  scripted("a user stop, dispose, then a late wake", "first-cause-decides-dispose", "agent/dispose-fence", [
    send("a"),
    stop,
    dispose,
    send("b"),
  ]),
  scripted("a user stop, a late wake, then dispose", "a latch that outlives dispose", "agent/dispose-fence", [
    send("a"),
    stop,
    send("b"),
    dispose,
  ]),
];

function scripted(name: string, subject: string, breaks: string, script: Script): KeptSituation {
  const slow = ["turn-records"] as const;
  return { name, subject, breaks, scenario: (make) => agentScenario({ name, make, script, slow }) };
}

/** A child that the parent knows of as it was before its first turn: whether it is still there, an interrupt cannot ask. */
function interrupted(make: MakeSubject, child: "at rest" | "gone"): Scenario {
  return scenario(`interrupt of a child that is ${child}`, (world) => {
    const { agent, recording } = judgedIn(world, make);
    const known: Child = {
      cancel: (cause, options) => void agent.cancel(cause, { keepInbox: options?.keepInbox === true }),
      send(message) {
        sendAndWait(agent, message);
        return { outcome: "accepted" };
      },
      state: restore([]),
    };
    let refused: string | null = null;
    const interrupt = (whom: Child, id: string) => {
      const { outcome } = subagent.interrupt(whom, prompt(id));
      if (outcome !== "accepted") refused ??= id;
    };
    const nobody = () => {
      const before = recording.observations.length;
      interrupt(undefined, "for nobody");
      if (recording.observations.length > before) refused ??= "for nobody";
    };
    const gone: readonly EventStep[] = [
      ["send a", () => sendAndWait(agent, prompt("a"))],
      ["dispose", () => agent.dispose?.()],
    ];
    world.events("parent", [
      ["interrupt nobody", nobody],
      ...(child === "gone" ? gone : []),
      ["interrupt", () => interrupt(known, "other")],
    ]);
    world.always("an interrupt is accepted, and nobody hears of one for nobody", () => refused === null || refused);
  });
}

/** As an application tells its agent what to do next in the moment in which it sees that a step is being stopped. */
function sentByAbortListener(make: MakeSubject): Scenario {
  return scenario("send from an abort listener", (world) => {
    let heard = false;
    const listening = (outside: Outside, seen: () => Judged): OutsidePorts => ({
      ...outside,
      runStep(step) {
        const onAbort = () => {
          heard = true;
          const { agent, recording } = seen();
          recording.givesInside(() => sendAndWait(agent, prompt(`after the stop of turn ${step.turn}`)));
        };
        step.signal.addEventListener("abort", onAbort, { once: true });
        return outside.runStep(step);
      },
    });
    const { agent } = judgedIn(world, make, listening);
    world.events("user", [
      ["send a", () => sendAndWait(agent, prompt("a"))],
      ["stop", () => agent.cancel("stop", { keepInbox: true })],
    ]);
    world.sometimes("the listener hears of a stop", () => heard);
  });
}

/** An agent whose outside is as `around` makes it, and everything that it promises. */
export function judgedIn(
  world: World,
  make: MakeSubject,
  around: (outside: Outside, seen: () => Judged) => OutsidePorts = (outside) => outside,
): Judged {
  const recording = new Recording();
  const outside = makeOutside(world, {
    labels: plainLabels,
    chunks: 1,
    plan: () => ({ tools: [], outcome: "completed" }),
    slow: [],
    mayFail: [],
  });
  const seen: Judged = {
    recording,
    agent: recordAgent(
      recording,
      make(
        recordPorts(
          recording,
          around(outside, () => seen),
        ),
      ),
    ),
  };
  for (const { name, why, violation } of always) world.always(name, () => violation(recording) ?? true, why);
  for (const { name, why, violation } of atQuiescence) {
    world.atQuiescence(name, () => violation(recording) ?? true, why);
  }
  return seen;
}

/** Somebody who sends waits for the answer: whether that wait ends, and when, is judged, too. */
export function sendAndWait(agent: RecordedAgent, message: Message): void {
  agent.send(message);
  void agent.whenIdle();
}
