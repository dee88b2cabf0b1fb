/**
 * The agent's host in the hands of an application: commands from inside its own calls, waits at every point, stops in
 * every stage, two agents side by side. Each situation under the simulator, to the last schedule where it is small, and
 * on the real platform.
 */
import { describe, expect, test } from "vitest";
import type { AgentPorts } from "../../core/agent/ports.ts";
import { type Scenario, scenario } from "../../sim/scenario.ts";
import { expectCertified, expectHeld, expectHeldForReal } from "../testing/expect-held.ts";
import { describeObservation } from "./history.ts";
import { presets } from "./script.ts";
import { type CoreWorld, coreIn } from "./testing/core-world.ts";

const keep = { keepInbox: true };
const clear = { keepInbox: false };
const prompt = (id: string) => ({ id, ...presets.followUp });

describe("commands from inside", () => {
  const commands: Readonly<Record<string, (core: CoreWorld) => unknown>> = {
    "follow up": ({ user }) => user.send(prompt("inside")),
    steer: ({ user }) => user.send({ id: "inside", ...presets.steer }),
    inject: ({ user }) => user.send({ id: "inside", ...presets.inject }),
    retract: ({ user }) => user.retract?.("b"),
    stop: ({ user }) => user.cancel("inside", keep),
    clear: ({ user }) => user.cancel("inside", clear),
    dispose: ({ user }) => user.dispose?.(),
    "when idle": ({ user }) => user.whenIdle(),
  };
  const portCalls = ["in append", "in propose", "in runStep", "claimed", "canceled"];
  const events = ["running", "idle", "stopped", "landed turn/start", "landed turn/end", "landed inbox/inserted"];
  // Decided at once, told after what is being told: to an onlooker the command seems to come before it.
  const unjudged = ["agent/dispose-fence", "agent/late-steer-queues"];

  /** One command, given once, from inside the first call of that kind. */
  function fromInside(moments: readonly string[]): Scenario {
    return scenario(`a command from inside: ${moments.join(", ")}`, (world) => {
      const moment = world.choose("moment", moments);
      const command = world.choose("command", Object.keys(commands));
      let given = false;
      let telling = "";
      let nested = "";
      /** What the host calls, one at a time: `moment` names the call, `act` is what was there to be called. */
      const tell = <T>(at: string, act: () => T): T => {
        if (telling !== "") nested ||= `${at} inside ${telling}`;
        telling = at;
        const answer = act();
        if (!given && at === moment) {
          given = true;
          commands[command]?.(core);
        }
        telling = "";
        return answer;
      };
      const wrap = (ports: AgentPorts): AgentPorts => ({
        append: (record) => tell("in append", () => ports.append(record)),
        propose: (step) => tell("in propose", () => ports.propose(step)),
        runStep: (step) => tell("in runStep", () => ports.runStep(step)),
        onStatus: (status) => tell("port of status", () => ports.onStatus?.(status)),
        onRemoved: (message, outcome) => tell(outcome, () => ports.onRemoved?.(message, outcome)),
      });
      const core = coreIn(world, { wrap, unjudged });
      const nothing = () => undefined;
      core.agent.onStatus((status) => tell(status, nothing));
      core.agent.onStop(() => tell("stopped", nothing));
      core.agent.onRecord(({ type }) => tell(`landed ${type}`, nothing));
      world.events("user", [
        ["send a", () => core.user.send(prompt("a"))],
        ["send b", () => core.user.send(prompt("b"))],
        ["stop", () => core.user.cancel("stop", moment === "canceled" ? clear : keep)],
      ]);
      world.always("it takes effect after what is being told, never inside it", () => nested === "" || nested);
      world.sometimes("it was given", () => given);
      world.atQuiescence("no port and no observer failed", () => core.errors.length === 0);
    });
  }

  for (const moments of [portCalls, events]) {
    test(`createAgent() takes each of them, given ${moments.join(", ")}`, async () => {
      await expectCertified(fromInside(moments), "spec");
      await expectHeld(fromInside(moments), "jitter");
      await expectHeldForReal(fromInside(moments));
    });
  }
});

describe("whenIdle", () => {
  /** Somebody asks at each of so many points, wherever those fall. */
  function asked(points: number, script: readonly ("a" | "stop" | "b")[]): Scenario {
    return scenario(`whenIdle() at ${points} points of ${script.join(", ")}`, (world) => {
      const { agent, user } = coreIn(world);
      let open = 0;
      let askedInTurn = false;
      world.actor("watcher", async () => {
        for (let left = points; left > 0; left--) {
          open += 1;
          askedInTurn ||= agent.state.phase.kind !== "idle";
          world.settles(`wait ${left}`, user.whenIdle()).then(() => {
            open -= 1;
          });
          if (left > 1) await world.delay("pause");
        }
      });
      world.events(
        "user",
        script.map((step) => [step, () => (step === "stop" ? user.cancel(step, keep) : user.send(prompt(step)))]),
      );
      // Seen between two deliveries. That a wait is not answered too early is agent/idle-is-true.
      world.always("no wait is open at idle", () => agent.state.phase.kind !== "idle" || open === 0);
      world.sometimes("somebody waits for a turn", () => askedInTurn);
    });
  }

  test("whenIdle() settles exactly at quiescence, wherever it is asked", async () => {
    await expectCertified(asked(2, ["a", "stop", "b"]), "spec");
    await expectCertified(asked(1, ["a"]), "jitter");
    await expectHeld(asked(3, ["a", "stop", "b"]), "jitter");
    await expectHeldForReal(asked(3, ["a", "stop", "b"]));
  });
});

describe("stops", () => {
  const stages = ["idle", "opening", "proposing", "stepping", "closing"];

  /** The last step of the script is the stop, in whatever stage it comes; `b` is sent behind it. */
  const stopped = (withLate: boolean) =>
    scenario(`a stop in every stage${withLate ? ", and a prompt behind it" : ""}`, (world) => {
      const { agent, user, log, receipts } = coreIn(world, { outside: { slow: ["turn-records", "proposals"] } });
      const how = world.choose("stop", ["stop", "clear", "dispose"]);
      let stage = "";
      const stop = () => {
        const { phase } = agent.state;
        stage = phase.kind === "running" ? phase.stage : phase.kind;
        if (how === "dispose") user.dispose?.();
        else user.cancel(how, how === "clear" ? clear : keep);
      };
      const late = ["send b", () => user.send(prompt("b"))] as const;
      world.events("user", [["send a", () => user.send(prompt("a"))], ["stop", stop], ...(withLate ? [late] : [])]);

      world.atQuiescence("the turn ends as the stage says", () => {
        const end = log.findLast((record) => record.type === "turn/end" && record.turn === 1);
        const cause = how === "dispose" ? "disposed" : how;
        const expected = stage === "idle" || stage === "closing" ? "completed" : `aborted ${cause}`;
        if (end?.type !== "turn/end") return "it has no end";
        const { reason } = end;
        return (reason.kind === "aborted" ? `aborted ${reason.cause}` : reason.kind) === expected || reason.kind;
      });
      world.atQuiescence("what comes after a dispose is parked, and what comes after a stop runs", () => {
        if (!withLate) return true;
        const entered = log.some((record) => record.type === "user/message" && record.message.id === "b");
        const isPending = agent.pending.some(({ id }) => id === "b");
        if (how === "dispose") return receipts.get("b") === "parked" && isPending && !entered;
        return receipts.get("b") === "accepted" && !isPending && entered;
      });
      world.atQuiescence("a turn that is stopped while it opens claims nothing", () => {
        const claimed = log.some((record) => record.type === "inbox/removed" && record.turn === 1);
        return stage !== "opening" || !claimed;
      });
      for (const one of stages) world.sometimes(`a stop in ${one}`, () => stage === one);
    });

  test("cancel() and dispose() end a turn in every stage", async () => {
    await expectCertified(stopped(false), "spec");
    await expectCertified(stopped(false), "jitter");
    await expectHeldForReal(stopped(false));
  });

  test("send() says parked after dispose(), and accepted after any other stop", async () => {
    await expectCertified(stopped(true), "spec");
    await expectHeld(stopped(true), "jitter");
    await expectHeldForReal(stopped(true));
  });
});

describe("two agents", () => {
  const script = ({ user }: CoreWorld) =>
    [
      ["send", () => user.send(prompt("a"))],
      ["stop", () => user.cancel("stop", keep)],
    ] as const;
  const storyOf = ({ recording }: CoreWorld) => recording.observations.map(describeObservation).join("\n");

  test("createAgent() makes agents that do not see each other", async () => {
    const stories = new Set<string>();
    const alone = scenario("an agent alone", (world) => {
      const core = coreIn(world);
      world.events("user", script(core));
      world.atQuiescence("its story is kept", () => stories.add(storyOf(core)).size > 0);
    });
    const together = scenario("two agents", (world) => {
      for (const name of ["ada", "bob"]) {
        const core = coreIn(world, { name });
        world.events(`user of ${name}`, script(core));
        world.atQuiescence(`${name} does nothing that it would not do alone`, () => {
          return stories.has(storyOf(core)) || storyOf(core);
        });
      }
    });
    await expectCertified(alone, "spec");
    expect(stories.size).toBe(2);
    await expectCertified(together, "spec");
    await expectHeldForReal(together);
    await expectCertified(alone, "jitter");
    await expectHeld(together, "jitter");
  });
});
