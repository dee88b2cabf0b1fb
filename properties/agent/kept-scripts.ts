/** Scripts that every check begins with: the stories that told a good driver from a bad one before. */
import type { AgentCommand } from "../../core/agent/state.ts";
import {
  cancel,
  type InsidePlace,
  labelOf,
  lateWake,
  type OutsideStep,
  type Script,
  type ScriptStep,
  send,
} from "./script.ts";
import { swept } from "./swept.ts";

const stop = cancel("stop", { keepInbox: true });
const clear = cancel("stop", { keepInbox: false });
const dispose: AgentCommand = { type: "dispose" };
const compact: AgentCommand = { type: "maintain", activity: "compact" };
const retract = (id: string): AgentCommand => ({ type: "retract", id });

function inside(at: InsidePlace, command: AgentCommand): ScriptStep {
  return { type: "inside", at, do: command };
}

/** Storage takes its time, and the model may do anything. */
const slowly: OutsideStep = { type: "outside", slow: ["turn-records"] };
const anyhow: OutsideStep = { type: "outside", slow: ["turn-records", "proposals"], decides: true };
const proposing: OutsideStep = { type: "outside", slow: ["proposals"] };
const refusing: OutsideStep = { type: "outside", slow: ["turn-records"], mayFail: ["turn-records"] };
const faulty: OutsideStep = { type: "outside", slow: ["turn-records"], mayFail: ["turn-records", "steps"] };

export const keptScripts: ReadonlyMap<string, Script> = new Map<string, Script>([
  ["a wake in the convergence window", lateWake],
  ["a wake while the last turn closes", [slowly, send("a"), send("b")]],
  ["a web stop keeps the queue", [send("a"), send("b", "queue"), stop]],
  ["two stops, then a wake", [send("a"), stop, stop, send("b")]],
  ["a wake is sent and cleared while the turn is stopped", [send("a"), stop, send("b"), clear]],
  ["a wake is sent and taken back while the turn is stopped", [send("a"), stop, send("b"), retract("b")]],
  ["a stop between two turns", [slowly, send("a"), send("b"), stop]],
  ["a prompt that is taken back before it is claimed", [slowly, send("a"), retract("a")]],
  ["a wake while maintenance is stopped", [compact, stop, send("a")]],
  ["a wake while maintenance runs", [compact, send("a")]],
  ["disposal after a user's stop with a late wake", [send("a"), stop, send("b"), dispose]],
  ["a late wake after a user's stop and disposal", [send("a"), stop, dispose, send("b")]],
  ["a wake after disposal", [send("a"), dispose, send("b")]],
  ["steering, and late steering", [send("a"), send("b", "steer"), stop, send("c", "steer")]],
  ["context for a turn to come", [send("a", "inject"), send("b"), send("c", "inject")]],
  ["a user who waits between two prompts", [send("a"), { type: "await", name: "idle" }, send("b")]],
  ["sent again by an observer of the discarding", [inside("canceled", send("b")), send("a"), stop, send("c"), clear]],
  ["stopped by an observer of turn/end", [inside("turn/end", stop), send("a"), send("b")]],
  ["sent by an observer of idle", [inside("idle", send("b")), send("a")]],
  ["storage that fails, and a wake", [faulty, send("a"), send("b"), stop]],
  ["a stop while the batch is proposed", [proposing, send("a"), stop, send("b")]],
  [
    "a record that storage refuses, and a later wake",
    [refusing, send("a"), { type: "await", name: "idle" }, send("b")],
  ],
  ["a model that does anything", [anyhow, send("a"), send("b", "steer"), send("c")]],
]);

/**
 * A stop, a clear and a disposal put in at every place of two stories, each with the name of its delivery: that is to be put
 * at every place of the run, too.
 */
export const sweptScripts: ReadonlyMap<Script, string> = new Map(
  [
    [send("a"), send("b")],
    [anyhow, send("a"), send("b", "inject"), send("c", "queue")],
  ].flatMap((script) =>
    [stop, clear, dispose].flatMap((command) =>
      swept(script, command).map((each) => [each, `user:${labelOf(command)}#1`] as const),
    ),
  ),
);
