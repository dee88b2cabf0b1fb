/** That the stop of a swept script comes in every moment of the story: seen from the agent, by what it had asked for by then. */
import { describe, expect, test } from "vitest";
import { sweep } from "../../repro/sweep.ts";
import { search } from "../../sim/search.ts";
import { checkPlanOf } from "../kit/check-options.ts";
import type { Family } from "../kit/family.ts";
import { agentCheck, checkAgent, type MakeAgent } from "./check-agent.ts";
import { sweptScripts } from "./kept-scripts.ts";
import { outsideOf, type Script } from "./script.ts";
import { describeScript } from "./scripts.ts";
import { ByTheBook } from "./subjects/by-the-book.ts";

type Diary = {
  readonly make: MakeAgent;
  /** What had been sent, asked and answered whenever a stop came, one for each stop. */
  readonly moments: (readonly string[])[];
  /** The same at the end of the last execution. */
  whole(): readonly string[];
};

/** Makes agents by the book that write down what passes through them, and what had passed when they were stopped. */
function diary(): Diary {
  const moments: (readonly string[])[] = [];
  let last: string[] = [];
  const make: MakeAgent = (ports) => {
    const lines: string[] = [];
    last = lines;
    const passing = async <Answer>(what: string, answer: Promise<Answer>): Promise<Answer> => {
      lines.push(`ask ${what}`);
      return answer.finally(() => lines.push(`answer ${what}`));
    };
    const agent = new ByTheBook({
      ...ports,
      append: (record) => passing(record.type, ports.append(record)),
      propose: (step) => passing("propose", ports.propose(step)),
      runStep: (step) => passing("step", ports.runStep(step)),
    });
    const stopping = (stop: () => unknown) => {
      moments.push([...lines]);
      return stop();
    };
    return {
      send(message) {
        lines.push(`send ${message.id}`);
        return agent.send(message);
      },
      retract: (id) => agent.retract(id),
      cancel: (cause, options) => stopping(() => agent.cancel(cause, options)),
      dispose: () => stopping(() => agent.dispose()),
      whenIdle: () => agent.whenIdle(),
      runMaintenance: (task) => agent.runMaintenance(task),
    };
  };
  return { make, moments, whole: () => [...last] };
}

function familyOf(make: MakeAgent): Family {
  return agentCheck(make, checkPlanOf())[0];
}

const isStop = ({ type }: Script[number]) => type === "cancel" || type === "dispose";

/** The scripts that are one story with one command at different places, by the two. */
const stories = new Map<string, readonly Script[]>();
for (const script of sweptScripts.keys()) {
  const told = script.filter((step) => !isStop(step));
  const story = `${describeScript(script.filter(isStop))} in ${describeScript(told)}`;
  stories.set(story, [...(stories.get(story) ?? []), script]);
}

/** The story without its stop, in the order of arrival: what has passed before its first delivery, and after each. */
async function momentsOf(script: Script): Promise<readonly (readonly string[])[]> {
  const { make, whole } = diary();
  const story = script.filter((step) => !isStop(step));
  const scenario = familyOf(make).scenario({ without: [], muted: new Set() });
  expect(await search(scenario, { strategy: "first-come", script: story })).toMatchObject({ outcome: "held" });
  const { slow = [] } = outsideOf(script);
  // A delivery is a send, or an answer that takes its time; all else follows from one.
  const delivered = ["send", "answer step", ...(slow.length > 0 ? ["answer"] : [])];
  const lines = whole();
  const cuts = lines.flatMap((line, at) => (delivered.some((start) => line.startsWith(start)) ? [at] : []));
  return [...cuts, lines.length].map((at) => lines.slice(0, at));
}

async function sweptMoments(script: Script): Promise<readonly (readonly string[])[]> {
  const { make, moments } = diary();
  const family = familyOf(make);
  const delivery = family.sweptIn(script);
  if (delivery === null) throw new Error(`Expected a sweep of ${describeScript(script)}, found none`);
  const scenario = family.scenario({ without: [], muted: new Set() });
  expect(await sweep(scenario, delivery, { script })).toMatchObject({ outcome: "held" });
  return moments;
}

describe("the sweep of a check", () => {
  for (const [story, scripts] of stories) {
    test(`brings the stop after every delivery: ${story}`, async () => {
      const [first = []] = scripts;
      const expected = await momentsOf(first);
      const met: (readonly string[])[] = [];
      for (const script of scripts) met.push(...(await sweptMoments(script)));
      expect(met).toEqual(expect.arrayContaining([...expected]));
      // Before the first delivery, after at least two sends and two answers, and all of them different.
      expect(new Set(expected.map(String)).size).toBeGreaterThanOrEqual(5);
    });
  }

  test("is what a check of a swept script begins with", async () => {
    for (const script of sweptScripts.keys()) {
      const alone = await sweptMoments(script);
      const { make, moments } = diary();
      await checkAgent(make, { script, executions: alone.length + 10 });
      expect(moments.slice(0, alone.length)).toEqual(alone);
    }
  });
});
