/** What is composed on the agent: the rounds of a goal, the web page's stop, and a parent that interrupts its child. */
import { describe, test } from "vitest";
import { createGoalDriver } from "../../core/agent/goal-driver.ts";
import type { Agent } from "../../core/agent/ports.ts";
import { session } from "../../core/agent/session.ts";
import { subagent } from "../../core/agent/subagent.ts";
import { type EventStep, type Scenario, scenario } from "../../sim/scenario.ts";
import { expectCertified, expectHeld, expectHeldForReal } from "../testing/expect-held.ts";
import type { StepPlan } from "./outside.ts";
import { presets } from "./script.ts";
import { type CoreWorld, coreIn } from "./testing/core-world.ts";

const prompt = (id: string) => ({ id, ...presets.followUp });
const isOfGoal = (id: string) => id.startsWith("goal ");

describe("createGoalDriver", () => {
  const roundLimit = 2;

  /** The agent as the goal drives it: what it sends and retracts is written down like a user's commands. */
  function seenBy({ agent, user, receipts }: CoreWorld) {
    return {
      followUp(id: string, body: unknown) {
        user.send({ ...prompt(id), body });
        return { outcome: receipts.get(id) === "parked" ? "parked" : "accepted" } as const;
      },
      retract(id: string) {
        const isPending = agent.pending.some((message) => message.id === id);
        user.retract?.(id);
        return isPending
          ? ({ outcome: "accepted" } as const)
          : ({ outcome: "refused", reason: "not-pending" } as const);
      },
      get status() {
        return agent.status;
      },
      get pending() {
        return agent.pending;
      },
      onStatus: agent.onStatus,
      onRecord: agent.onRecord,
      onStop: agent.onStop,
    } satisfies Pick<Agent, "followUp" | "retract" | "status" | "pending" | "onStatus" | "onRecord" | "onStop">;
  }

  type Deed = "human" | "stop" | "clear" | "retract" | "dispose" | "arm again" | "disarm";

  function rounds(deeds: readonly (readonly Deed[])[], plan?: (turn: number) => StepPlan): Scenario {
    return scenario(`a goal, and ${deeds.join(" or ")}`, (world) => {
      const script = world.choose("script", deeds);
      // Slow storage, so that a reservation waits for its turn and can be retracted.
      const core = coreIn(world, { outside: { slow: ["turn-records"], ...(plan && { plan }) } });
      const { agent, user, log } = core;
      const goal = createGoalDriver(seenBy(core), { name: "goal", body: (round) => `round ${round}`, roundLimit });
      // Of the last thing that must keep the goal at rest: how much was in the log then.
      let restsFrom: number | null = null;
      let struck = false;
      let retracted = false;
      const pausing = (act: () => unknown) => () => {
        const { phase } = agent.state;
        const bites = goal.state.mode === "armed" && phase.kind === "running" && phase.stop === null;
        act();
        if (!bites) return;
        struck = true;
        restsFrom = log.length;
      };
      const acts: Readonly<Record<Deed, () => unknown>> = {
        human: () => user.send(prompt("human")),
        stop: pausing(() => user.cancel("stop", { keepInbox: true })),
        clear: pausing(() => user.cancel("clear", { keepInbox: false })),
        dispose: pausing(() => user.dispose?.()),
        retract() {
          const reservation = agent.pending.find(({ id }) => isOfGoal(id));
          if (reservation === undefined) return;
          user.retract?.(reservation.id);
          retracted = true;
        },
        "arm again"() {
          restsFrom = null;
          goal.arm();
        },
        disarm: () => goal.disarm(),
      };
      const arm = () => goal.arm();
      world.events("user", [["arm", arm], ...script.map((deed): EventStep => [deed, acts[deed]])]);

      world.always("a round runs or is reserved while the goal is armed and nobody else is served", () => {
        return goal.state.mode !== "armed" || goal.state.reservation !== null || agent.state.phase.kind === "running";
      });
      world.always("a stop pauses it", () => {
        return restsFrom === null || goal.state.mode !== "armed" || "it is armed";
      });
      world.always("a retracted reservation pauses it as soon as that is in the log", () => {
        const isLogged = log.some(
          (record) => record.type === "inbox/removed" && record.outcome === "canceled" && isOfGoal(record.id),
        );
        return !isLogged || script.includes("arm again") || goal.state.mode !== "armed" || "it is armed";
      });
      world.atQuiescence("it never hangs", () => goal.state.mode !== "armed" || "it is armed, and nothing will happen");
      world.atQuiescence("it counts its completed rounds, and no others", () => {
        const turns = log.flatMap((record) =>
          record.type === "inbox/removed" && record.outcome === "claimed" && isOfGoal(record.id) ? [record.turn] : [],
        );
        const completed = log.filter(
          (record) => record.type === "turn/end" && record.reason.kind === "completed" && turns.includes(record.turn),
        );
        const counted = goal.state.rounds;
        // A round that is given up while its turn closes completes in the log and does not count; the next arm does it
        // again. Armed past its limit, the goal does one round more. The contract says nothing of either.
        const mayGiveUp = script.some((deed) => ["disarm", "stop", "clear", "dispose"].includes(deed));
        const most = roundLimit + (script.includes("arm again") ? 1 : 0);
        const fits = mayGiveUp ? counted <= completed.length : counted === completed.length;
        return (fits && counted <= most) || `${counted} of ${completed.length} rounds`;
      });
      world.atQuiescence("nothing of it is left behind, or runs after a stop", () => {
        const left = agent.pending.find(({ id }) => isOfGoal(id));
        if (left !== undefined) return `${left.id} is left behind`;
        const ran = log
          .slice(restsFrom ?? log.length)
          .find((record) => record.type === "user/message" && isOfGoal(record.message.id));
        return ran === undefined || "a round ran after the stop";
      });
      world.atQuiescence("it does every round that nothing keeps it from", () => {
        if (script.some((deed) => deed !== "human" && deed !== "arm again")) return true;
        return plan !== undefined || goal.state.rounds >= roundLimit || `it did ${goal.state.rounds}`;
      });
      world.atQuiescence("a retracted reservation pauses it", () => {
        if (!retracted || script.includes("arm again")) return true;
        return goal.state.mode === "paused" || `it is ${goal.state.mode}`;
      });
      world.sometimes("a stop strikes it", () => struck);
      if (script.includes("retract")) world.sometimes("a reservation is retracted", () => retracted);
    });
  }

  const alone = rounds([["human"], ["stop"], ["clear"], ["retract"], ["dispose"], ["disarm"], ["arm again"]]);
  const composed = rounds([
    ["human", "stop"],
    ["stop", "human"],
    ["stop", "arm again"],
    ["retract", "arm again"],
    ["clear", "arm again"],
  ]);

  for (const subject of [alone, composed]) {
    test(`createGoalDriver() never hangs: ${subject.name}`, async () => {
      await expectCertified(subject, "spec");
      await expectHeld(subject, "jitter");
      await expectHeldForReal(subject);
    });
  }

  test("createGoalDriver() stops at a round that fails", async () => {
    const failing = rounds([["human"], ["stop"]], (turn) => ({
      tools: [],
      outcome: turn === 2 ? "failed" : "completed",
    }));
    await expectCertified(failing, "spec");
    await expectHeldForReal(failing);
  });
});

describe("session", () => {
  test("session.cancel() ends the turn and keeps what is queued", async () => {
    const stopped = scenario("the web page's stop", (world) => {
      const { agent, user, log } = coreIn(world);
      let strikes = false;
      const stop = () => {
        const { phase } = agent.state;
        // A turn that is closing keeps its own end.
        strikes = phase.kind === "running" && phase.stage !== "closing";
        session.cancel(user, "web stop");
      };
      world.events("user", [
        ["send a", () => user.send(prompt("a"))],
        ["queue b", () => user.send({ id: "b", ...presets.queue })],
        ["stop", stop],
      ]);
      world.atQuiescence("nothing queued is lost", () => {
        const ends = log.flatMap((record) => (record.type === "turn/end" ? [record.reason] : []));
        const aborted = ends.some((reason) => reason.kind === "aborted" && reason.cause === "web stop");
        const ran = log.some((record) => record.type === "user/message" && record.message.id === "b");
        return aborted === strikes && ran !== agent.pending.some(({ id }) => id === "b");
      });
      world.sometimes("it strikes a turn", () => strikes);
    });
    await expectCertified(stopped, "spec");
    await expectHeld(stopped, "jitter");
    await expectHeldForReal(stopped);
  });
});

describe("subagent", () => {
  test("subagent.interrupt() gives a running child something else to do, and lets a gone one be", async () => {
    const interrupted = scenario("an interrupted child", (world) => {
      const child = world.choose("child", ["running", "disposed", "absent"]);
      const { agent, user, log, receipts } = coreIn(world);
      let answer = "";
      let struck = false;
      const interrupt = () => {
        const { phase, disposed } = agent.state;
        struck = phase.kind === "running" && phase.stage !== "closing" && phase.stop === null && !disposed;
        const seen = {
          cancel: user.cancel,
          send(message: Parameters<Agent["send"]>[0]) {
            user.send(message);
            return { outcome: receipts.get(message.id) === "parked" ? "parked" : "accepted" } as const;
          },
          get state() {
            return agent.state;
          },
        };
        const other = { id: "other", lane: "next-step", wake: false } as const;
        answer = subagent.interrupt(child === "absent" ? undefined : seen, other).outcome;
      };
      world.events("parent", [
        ["send a", () => user.send(prompt("a"))],
        ...(child === "disposed" ? ([["dispose", () => user.dispose?.()]] as const) : []),
        ["interrupt", interrupt],
      ]);
      world.atQuiescence("it is accepted, and done where somebody is left to do it", () => {
        const ran = log.some((record) => record.type === "user/message" && record.message.id === "other");
        if (answer !== "accepted") return `it is ${answer}`;
        return (ran && agent.pending.length === 0) === (child === "running") || `the child ran it: ${ran}`;
      });
      world.atQuiescence("only an interrupted turn is aborted, and by the parent", () => {
        if (child === "disposed") return true;
        const aborted = log.filter((record) => record.type === "turn/end" && record.reason.kind === "aborted");
        return aborted.length === (struck && child === "running" ? 1 : 0) || `${aborted.length} turns were aborted`;
      });
      world.sometimes("it strikes a turn", () => struck);
    });
    await expectCertified(interrupted, "spec");
    await expectHeld(interrupted, "jitter");
    await expectHeldForReal(interrupted);
  });
});
