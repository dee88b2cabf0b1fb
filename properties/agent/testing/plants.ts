/** For each promise of an agent: a line that breaks it, and the story in which that shows. */
import type { AgentCommand } from "../../../core/agent/state.ts";
import { cancel, lateWake, type Script, send } from "../script.ts";
import type { Line } from "./plant.ts";

export type Plant = Line & {
  readonly breaks: string;
  /** What an agent with this line does, in a word. */
  readonly told: string;
  readonly script: Script;
  /** Part of what is said then, where a promise has two halves. */
  readonly says?: string;
};

const stop = cancel("stop", { keepInbox: true });
const clear = cancel("stop", { keepInbox: false });
const dispose: AgentCommand = { type: "dispose" };
const compact: AgentCommand = { type: "maintain", activity: "compact" };
const retract = (id: string): AgentCommand => ({ type: "retract", id });

const latch =
  'else if (activity.kind === "task" || activity.isStopped || activity.hasFailed) activity.latched.add(message.id);';

export const plants: readonly Plant[] = [
  {
    breaks: "agent/single-writer",
    told: "is idle as soon as it is stopped",
    file: "by-the-book.ts",
    line: "this.#activity?.stop(cause);",
    becomes: "this.#activity?.stop(cause); this.#activity = null;",
    script: lateWake,
  },
  {
    breaks: "agent/turn-end-before-turn-start",
    told: "does not count its turns",
    file: "turn-log.ts",
    line: 'if (this.#unwritten?.type === "turn/start") this.#turn = this.#unwritten.turn;',
    becomes: "",
    script: [send("a"), send("b")],
  },
  {
    breaks: "agent/dispose-fence",
    told: "starts for a wake after disposal",
    file: "by-the-book.ts",
    line: 'if (this.#disposed) return "parked";',
    becomes: "",
    says: "after #",
    script: [send("a"), dispose, send("b")],
  },
  {
    breaks: "agent/dispose-fence",
    told: "is never done with disposal",
    file: "waiters.ts",
    line: "for (const resolve of this.#waiting.splice(0)) resolve();",
    becomes: "",
    says: "has not settled, and nothing is left to happen",
    script: [send("a"), dispose],
  },
  {
    breaks: "agent/cleared-stays-cleared",
    told: "tells of the clearing and keeps what is cleared",
    file: "inbox.ts",
    line: "return [...this.#nextStep.splice(0), ...this.#nextTurn.splice(0)];",
    becomes: "return [...this.#nextStep, ...this.#nextTurn];",
    script: [send("a"), send("b", "queue"), clear, send("c")],
  },
  {
    breaks: "agent/parked-stays-parked",
    told: "latches every wake",
    file: "by-the-book.ts",
    line: latch,
    becomes: "else activity.latched.add(message.id);",
    script: [send("a"), send("b"), stop],
  },
  {
    breaks: "agent/cancel-bites",
    told: "goes on with the next turn after a stop",
    file: "by-the-book.ts",
    line: "goesOn = landed && !driver.isStopped && !driver.hasFailed && this.#inbox.wantsTurn;",
    becomes: "goesOn = landed && !driver.hasFailed && this.#inbox.wantsTurn;",
    script: [send("a"), send("b"), stop],
  },
  {
    breaks: "agent/idle-cancel-arms-nothing",
    told: "stops whoever is there a moment later",
    file: "by-the-book.ts",
    line: "this.#activity?.stop(cause);",
    becomes: "setTimeout(() => this.#activity?.stop(cause), 0);",
    script: [stop, send("a")],
  },
  {
    breaks: "agent/idle-is-true",
    told: "calls itself idle at any time",
    file: "by-the-book.ts",
    line: "if (this.#activity !== null) await this.#waiters.wait();",
    becomes: "",
    says: "was never at rest in between",
    script: [send("a")],
  },
  {
    breaks: "agent/idle-is-true",
    told: "forgets who waits for it",
    file: "waiters.ts",
    line: "for (const resolve of this.#waiting.splice(0)) resolve();",
    becomes: "",
    says: "has not settled, and nothing is left to happen",
    script: [send("a")],
  },
  {
    breaks: "agent/status-alternates",
    told: "tells of idle after maintenance, too",
    file: "by-the-book.ts",
    line: 'const told = activity.kind === "driver" ? [() => this.#tells.onStatus("idle")] : [];',
    becomes: 'const told = [() => this.#tells.onStatus("idle")];',
    script: [compact, send("a")],
  },
  {
    breaks: "agent/at-most-once",
    told: "gives back what has entered the step that is stopped",
    file: "by-the-book.ts",
    line: "if (driver.isStopped) return this.#close(driver, abortedBy(driver));",
    becomes: "if (driver.isStopped) { this.#batch = entering; return this.#giveUp(driver); }",
    script: lateWake,
  },
  {
    breaks: "agent/late-steer-queues",
    told: "leaves late steering in its lane",
    file: "by-the-book.ts",
    line: "this.#inbox.put(activity?.takes(message) ?? message);",
    becomes: "this.#inbox.put(message);",
    script: [send("a"), send("b"), stop, send("c", "steer")],
  },
  {
    breaks: "agent/lane-order",
    told: "takes the newest prompt first",
    file: "inbox.ts",
    line: "return [...this.#nextStep.splice(0), ...this.#nextTurn.splice(0, 1)];",
    becomes: "return [...this.#nextStep.splice(0), ...this.#nextTurn.splice(-1)];",
    script: [send("a"), send("b"), send("c")],
  },
  {
    breaks: "agent/context-never-wakes",
    told: "starts for context",
    file: "by-the-book.ts",
    line: 'if (!message.wake) return "accepted";',
    becomes: "",
    script: [send("a", "inject")],
  },
  {
    breaks: "agent/maintenance-exclusive",
    told: "starts a driver beside a task",
    file: "by-the-book.ts",
    line: "if (activity === null) this.#startDriver(new Activity());",
    becomes: 'if (activity === null || activity.kind === "task") this.#startDriver(new Activity());',
    script: [compact, send("a")],
  },
  {
    breaks: "agent/no-empty-replay",
    told: "replays without looking",
    file: "activity.ts",
    line: "return [...this.latched].some((id) => inbox.has(id));",
    becomes: "return this.latched.size > 0;",
    script: [...lateWake, retract("b")],
  },
  {
    breaks: "agent/idle-wake-opens-turn",
    told: "looks for a message before it opens its first turn",
    file: "by-the-book.ts",
    line: "while (goesOn) {",
    becomes: "while (goesOn && this.#inbox.wantsTurn) {",
    says: "has opened no turn",
    script: [{ type: "inside", at: "running", do: retract("a") }, send("a")],
  },
  {
    breaks: "agent/idle-wake-opens-turn",
    told: "starts for prompts alone",
    file: "by-the-book.ts",
    line: "if (activity === null) this.#startDriver(new Activity());",
    becomes: 'if (activity === null) { if (message.lane === "next-turn") this.#startDriver(new Activity()); }',
    says: "no driver has started since",
    script: [send("a", "steer")],
  },
  {
    breaks: "agent/tools-are-answered",
    told: "ends the turn without telling the model what its tools gave",
    file: "by-the-book.ts",
    line: "if (isNatural && !this.#inbox.wantsStep) return this.#close(driver, ending);",
    becomes: "if (!this.#inbox.wantsStep) return this.#close(driver, ending);",
    script: [{ type: "stepped", turn: 1, step: 1, outcome: "continue" }, send("a")],
  },
  {
    breaks: "agent/no-dropped-wake",
    told: "has no latch",
    file: "by-the-book.ts",
    line: latch,
    becomes: "",
    script: lateWake,
  },
];
