/** Scripts that every check begins with: the stories that told a good scheduler from a bad one before. */
import { defaultPolicy } from "../../core/lease/state.ts";
import { scriptOfFlows } from "./flows.ts";
import { keptScripts } from "./kept.ts";
import { type LeaseScript, type LeaseScriptStep, labelOf } from "./script.ts";
import {
  about,
  close,
  file,
  finish,
  granted,
  nothing,
  request,
  run,
  situations,
  spawn,
  together,
  wait,
  workspace,
} from "./situations.ts";

const edit = file("src/a.ts");
const folder = file("src");
const ofRun = { owner: "run" };
const asking = { needsApproval: true };

const alone: ReadonlyMap<string, LeaseScript> = new Map<string, LeaseScript>([
  ["siblings", scriptOfFlows({ flows: { one: run("one", workspace), other: run("other", workspace) } })],
  [
    "a queue of three",
    [
      ...[request("c1", workspace), request("c2", edit), request("c3", folder), request("c4", workspace)],
      ...["c1", "c2", "c3", "c4"].map((call) => about("release", call)),
    ],
  ],
  [
    "stopped in one go with the release that lets it run",
    [request("c1", edit), request("c2", workspace), together("stop", about("release", "c1"), about("abort", "c2"))],
  ],
  [
    "a yes and a stop in one go",
    [request("c1", edit, asking), together("yes and stop", about("approve", "c1"), about("abort", "c1"))],
  ],
  ["stopped while the user is asked", [request("c1", edit, asking), about("abort", "c1"), about("approve", "c1")]],
  [
    "a waiter passes a blocked one",
    [request("c1", edit), request("c2", folder), request("c3", file("docs/b.md")), about("release", "c1")],
  ],
  ["the head of the queue expires", [request("c1", edit), request("c2", folder), request("c3", workspace)]],
  [
    "whoever waits too long gives up, and the others go on",
    [
      request("c1", edit),
      request("c2", workspace),
      wait(defaultPolicy.waitLimitMs + 1_000),
      request("c3", folder),
      about("release", "c1"),
    ],
  ],
  [
    "denied while others wait",
    [request("c1", edit, asking), request("c2", folder, asking), about("deny", "c1"), about("approve", "c2")],
  ],
  [
    "a child comes and goes",
    [spawn("k1", "src"), request("c1", edit), finish("k1"), request("c2", edit), spawn("k2", "src")],
  ],
  [
    "an owner is closed with each stage present",
    [
      request("c1", edit, ofRun),
      request("c2", folder, ofRun),
      request("c3", file("docs/b.md"), { ...ofRun, ...asking }),
      { type: "spawn", child: "k1", owner: "run", paths: ["lib"] },
      request("c4", edit),
      close("run"),
      wait(defaultPolicy.stuckLimitMs),
      about("approve", "c3"),
      request("c5", file("lib/c.ts")),
      finish("k1"),
      about("release", "c1"),
      about("release", "c4"),
    ],
  ],
  [
    "a yes and a request side by side",
    scriptOfFlows({
      flows: {
        user: [request("c1", folder, asking), about("approve", "c1"), about("release", "c1")],
        other: [request("look", nothing), request("c2", folder), about("release", "c2")],
      },
    }),
  ],
  [
    "what a refused child wanted is free",
    [
      request("c1", edit),
      spawn("k1", "docs", "src"),
      about("release", "c1"),
      request("c2", file("docs/b.md")),
      about("release", "c2"),
      spawn("k2", "docs"),
      spawn("k1", "docs", "src"),
      finish("k2"),
      spawn("k1", "docs", "src"),
      finish("k1"),
    ],
  ],
  [
    "what a child is about to be refused is free",
    scriptOfFlows({
      flows: {
        parent: [request("c1", edit), granted("c1"), wait(1_000), about("release", "c1")],
        child: [spawn("k1", "docs", "src")],
        other: run("c2", file("docs/b.md")),
      },
    }),
  ],
  [
    "whoever gave up is not in the way of a child",
    [request("c1", workspace), request("c2", edit), wait(defaultPolicy.waitLimitMs), spawn("k1", "src")],
  ],
]);

/** By name; the first ones are those that somebody was hurt in. */
export const keptLeaseScripts: ReadonlyMap<string, LeaseScript> = new Map<string, LeaseScript>([
  ...keptScripts.map(({ name, script }) => [name, script] as const),
  ...Object.entries(situations).map(([name, situation]) => [`in flows: ${name}`, scriptOfFlows(situation)] as const),
  ...alone,
]);

type Story = { readonly steps: readonly LeaseScriptStep[]; readonly stops: readonly LeaseScriptStep[] };

const stories: readonly Story[] = [
  {
    steps: [
      request("c1", edit),
      request("c2", workspace, ofRun),
      request("c3", file("docs/b.md"), ofRun),
      ...["c1", "c2", "c3"].map((call) => about("release", call)),
    ],
    stops: [about("abort", "c1"), about("abort", "c2"), about("abort", "c3"), close("run"), close("root")],
  },
  {
    steps: [
      request("c1", edit, { ...ofRun, ...asking }),
      request("c2", folder),
      spawn("k1", "src"),
      about("approve", "c1"),
      about("release", "c2"),
      about("release", "c1"),
      request("c3", edit),
    ],
    stops: [about("abort", "c1"), about("abort", "c2"), close("run")],
  },
  {
    steps: [
      { type: "spawn", child: "k1", owner: "run", paths: ["lib"] },
      request("c1", edit, ofRun),
      request("c2", folder),
      wait(2 * defaultPolicy.stuckLimitMs),
      about("release", "c1"),
      request("c3", file("lib/c.ts")),
      about("release", "c2"),
    ],
    stops: [close("run")],
  },
];

/**
 * An abort and a close in a flow of their own, each with the name of its delivery, which is to be put at every place. The
 * flow is under way before the story begins: so the stop is not kept until time has passed.
 */
export const sweptLeaseScripts: ReadonlyMap<LeaseScript, string> = new Map(
  stories.flatMap(({ steps, stops }) =>
    stops.map((stop) => {
      const script = scriptOfFlows({ flows: { stop: [request("look", nothing), stop], user: steps } });
      return [script, `stop:${labelOf(stop)}#1`] as const;
    }),
  ),
);
