import { describe, expect, test } from "vitest";
import { InputError } from "../shape.ts";
import { createAgent } from "./host.ts";
import type { AgentPorts } from "./ports.ts";
import { restore } from "./restore.ts";
import type { AgentRecord } from "./state.ts";
import { agentIn, enter, keep } from "./testing/agent-in.ts";
import { deferredPorts, drain, isSettled } from "./testing/deferred-ports.ts";
import { completed, end, followUp, start, steer } from "./testing/states.ts";

const broken = new Error("broken");
// What a port without types may answer.
const parsed = (json: string) => JSON.parse(json);

describe("ports that fail", () => {
  const ways: readonly (readonly [string, () => never | Promise<never>])[] = [
    [
      "throws",
      () => {
        throw broken;
      },
    ],
    ["rejects", () => Promise.reject(broken)],
  ];

  test.each(ways)("createAgent() ends the turn as failed when propose %s", async (_, fail) => {
    const { ports, errors, log } = deferredPorts();
    const agent = createAgent({ ...ports, propose: fail });
    agent.followUp("a");
    await agent.whenIdle();
    expect(errors).toStrictEqual([broken]);
    expect(log.at(-1)).toStrictEqual(end(1, { kind: "failed" }));
    expect(agent.pending).toStrictEqual([]);
  });

  test.each(ways)("createAgent() ends the turn as failed when runStep %s", async (_, fail) => {
    const { ports, errors, log, proposals } = deferredPorts();
    const agent = createAgent({ ...ports, runStep: fail });
    agent.followUp("a");
    await drain();
    await proposals[0]?.resolve(enter([followUp("a")]));
    expect(await isSettled(agent.whenIdle())).toBe(true);
    expect(errors).toStrictEqual([broken]);
    expect(log.at(-1)).toStrictEqual(end(1, { kind: "failed" }));
  });

  test.each(ways)("createAgent() comes to rest with a fault when append %s for ever", async (_, fail) => {
    const { ports, diary } = deferredPorts();
    let attempts = 0;
    const agent = createAgent({
      ...ports,
      append() {
        attempts += 1;
        return fail();
      },
    });
    agent.followUp("a");
    expect(await isSettled(agent.whenIdle())).toBe(true);
    // The note alone, and again for the turn/start behind it, which never had a chance; then nobody spins.
    expect(attempts).toBe(3);
    expect(diary).toStrictEqual(["running", "idle"]);
    expect(agent.state.unwritten).toStrictEqual(start(1));
    expect(agent.pending).toStrictEqual([followUp("a")]);
  });

  test("createAgent() takes an answer of the wrong shape for a failure", async () => {
    for (const answer of ["null", "7", '{"kind":"later"}', '{"kind":"enter"}', '{"kind":"enter","messages":[{}]}']) {
      const { ports, errors, log } = deferredPorts();
      const agent = createAgent({ ...ports, propose: () => parsed(answer) });
      agent.followUp("a");
      await agent.whenIdle();
      expect(errors).toStrictEqual([expect.any(InputError)]);
      expect(log.at(-1)).toStrictEqual(end(1, { kind: "failed" }));
    }
    const { ports, errors, log } = deferredPorts();
    const agent = createAgent({
      ...ports,
      propose: ({ messages }) => Promise.resolve(enter(messages)),
      runStep: () => parsed('"later"'),
    });
    agent.followUp("a");
    await agent.whenIdle();
    expect(errors).toStrictEqual([expect.any(InputError)]);
    expect(log.at(-1)).toStrictEqual(end(1, { kind: "failed" }));
  });

  test("createAgent() reports a proposal that enters what is still pending", async () => {
    const { agent, proposals, errors } = await agentIn("proposing");
    agent.followUp("b");
    await proposals[0]?.resolve(enter([followUp("a"), followUp("b")]));
    expect(errors).toStrictEqual([expect.any(InputError)]);
    expect(agent.pending).toStrictEqual([followUp("b")]);
  });

  test("createAgent() is not disturbed by a thenable that answers twice and late", async () => {
    const { ports, steps, diary } = deferredPorts();
    const answers: (() => void)[] = [];
    const agent = createAgent({
      ...ports,
      propose: ({ messages }) =>
        new Proxy(Promise.resolve(enter(messages)), {
          get: (target, key) =>
            key === "then"
              ? (answer: (value: unknown) => void) => {
                  answers.push(() => answer(enter(messages)));
                  answer(enter(messages));
                }
              : Reflect.get(target, key),
        }),
    });
    agent.followUp("a");
    await drain();
    await steps[0]?.resolve("completed");
    const before = [...diary];
    const { state } = agent;
    for (const again of answers) again();
    await drain();
    expect(diary).toStrictEqual(before);
    expect(agent.state).toBe(state);
  });
});

describe("storage that refuses", () => {
  /** Refuses the attempts that the test names by their number, and keeps what it took. */
  function refusing(refused: readonly number[]) {
    const world = deferredPorts();
    const attempts: string[] = [];
    const log: AgentRecord[] = [];
    const ports: AgentPorts = {
      ...world.ports,
      append(record) {
        attempts.push(record.type);
        if (refused.includes(attempts.length)) return Promise.reject(broken);
        log.push(record);
        return Promise.resolve();
      },
      propose: ({ messages }) => Promise.resolve(enter(messages)),
      runStep: () => Promise.resolve("completed"),
    };
    return { ...world, ports, attempts, log };
  }

  test("createAgent() tries a refused note again before it writes anything behind it", async () => {
    const { ports, attempts, log } = refusing([1]);
    const agent = createAgent(ports);
    agent.followUp("a");
    await agent.whenIdle();
    expect(attempts.slice(0, 3)).toStrictEqual(["inbox/inserted", "inbox/inserted", "turn/start"]);
    expect(log.at(-1)).toStrictEqual(end(1, completed));
  });

  test("createAgent() starts the next driver with what was refused, in order, and loses nothing", async () => {
    const { ports, attempts, log } = refusing([1, 2, 3]);
    const agent = createAgent(ports);
    agent.followUp("a");
    await agent.whenIdle();
    expect(agent.state.unwritten).toStrictEqual(start(1));
    expect(attempts).toHaveLength(3);
    agent.followUp("b");
    await agent.whenIdle();
    await drain();
    expect(log.slice(0, 3)).toStrictEqual([
      { type: "inbox/inserted", message: followUp("a") },
      { type: "inbox/inserted", message: followUp("b") },
      start(1),
    ]);
    expect(restore(log)).toStrictEqual(agent.state);
    expect(agent.pending).toStrictEqual([]);
  });

  test("createAgent() lands a refused turn/end before the next turn", async () => {
    // inserted, start, claimed, entered, end
    const { ports, log } = refusing([5]);
    const agent = createAgent(ports);
    agent.followUp("a");
    await agent.whenIdle();
    expect(agent.state.unwritten).toStrictEqual(end(1, completed));
    await expect(agent.runMaintenance(async () => {})).rejects.toMatchObject({ reason: "unwritten" });
    agent.steer("s");
    await agent.whenIdle();
    const turns = log.filter(({ type }) => type.startsWith("turn/"));
    expect(turns).toStrictEqual([start(1), end(1, completed), start(2), end(2, completed)]);
  });

  test("createAgent() retries at once for a wake that came while the refused record was on its way", async () => {
    const { agent, writes, land } = await agentIn("closing");
    agent.cancel("stop", keep);
    agent.send(steer("b"));
    await writes[0]?.reject(broken);
    expect(agent.status).toBe("running");
    await land("turn/end");
    expect(writes[0]?.request).toStrictEqual(end(1, completed));
    await writes[0]?.resolve();
    await land("turn/start");
    expect(writes[0]?.request).toStrictEqual(start(2));
  });
});
