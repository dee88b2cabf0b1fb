/**
 * One input through both reducers, as `createAgent` and `createGoalDriver` carry it out: the agent decides an input the
 * moment it arrives, and what leaves it goes through `todo`, in order and one at a time, so that what the goal does when
 * it hears of something comes after what was decided before.
 */
import type { GoalEffect, GoalInput, GoalState } from "../../../../core/agent/goal.ts";
import type { AgentEffect, AgentInput, AgentPolicy, AgentRecord, AgentState } from "../../../../core/agent/state.ts";
import type { Step } from "../../../../sim/model/model.ts";
import type { Transition } from "../recalling.ts";
import { type GoalWorld, isOwn, isTurnRecord, queuedIn, type Waiting } from "./world.ts";

export type StepGoal = (
  state: GoalState,
  input: GoalInput,
) => { readonly state: GoalState; readonly effects: readonly GoalEffect[] };

/** What a user does to the agent or to its goal, what storage does with the oldest record, and what the other ports answer. */
export type GoalWorldInput = AgentInput | { readonly type: "arm" | "disarm" } | { readonly type: "lands" | "refused" };
/** Goal effects as the goal's own: `retract` is also a command of the agent. */
export type GoalWorldEffect = AgentEffect | GoalEffect;

export type Reducers = { readonly policy: AgentPolicy; readonly transition: Transition; readonly stepGoal: StepGoal };

export function runStep(reducers: Reducers, world: GoalWorld, input: GoalWorldInput): Step<GoalWorld, GoalWorldEffect> {
  const run = new Run(reducers, world);
  run.give(input);
  return { state: run.world(counted(world, input)), effects: run.effects };
}

class Run {
  readonly effects: GoalWorldEffect[] = [];
  readonly #reducers: Reducers;
  readonly #todo: (AgentEffect | { readonly type: "tell"; readonly record: AgentRecord })[] = [];
  readonly #storage: Waiting[];
  #agent: AgentState;
  #goal: GoalState;
  #ownTurn: number;

  constructor(reducers: Reducers, { agent, goal, storage, ownTurn }: GoalWorld) {
    this.#reducers = reducers;
    this.#agent = agent;
    this.#goal = goal;
    this.#storage = [...storage];
    this.#ownTurn = ownTurn;
  }

  world({ sent, armsLeft }: Pick<GoalWorld, "sent" | "armsLeft">): GoalWorld {
    return { agent: this.#agent, goal: this.#goal, storage: this.#storage, ownTurn: this.#ownTurn, sent, armsLeft };
  }

  give(input: GoalWorldInput): void {
    switch (input.type) {
      case "arm":
        this.#tell({ type: "arm", idle: this.#agent.phase.kind !== "running", queued: queuedIn(this.#agent) });
        break;
      case "disarm":
        this.#tell({ type: "disarm" });
        break;
      case "lands":
      case "refused":
        this.#answer(input.type);
        break;
      default:
        this.#take(input);
    }
    for (const effect of this.#todo) this.#perform(effect);
  }

  #answer(answer: "lands" | "refused"): void {
    const record = this.#storage.shift();
    if (record === undefined) return;
    if (answer === "refused") {
      if (isTurnRecord(record)) this.#take({ type: "write-failed", record });
      return;
    }
    // Listeners hear of the record before anything is done about it, and after that is decided.
    this.#todo.push({ type: "tell", record });
    if (isTurnRecord(record)) this.#take({ type: "written", record });
  }

  #take(input: AgentInput): readonly AgentEffect[] {
    const { policy, transition } = this.#reducers;
    const { state, effects } = transition(policy, this.#agent, input);
    this.#agent = state;
    this.effects.push(...effects);
    this.#todo.push(...effects);
    return effects;
  }

  #perform(effect: AgentEffect | { readonly type: "tell"; readonly record: AgentRecord }): void {
    switch (effect.type) {
      case "tell":
        this.#tell(effect.record);
        return;
      case "status":
        if (effect.status === "idle") this.#tell({ type: "idle", queued: queuedIn(this.#agent) });
        return;
      case "abort":
        this.#tell({ type: "stopped" });
        return;
      case "append": {
        const { record } = effect;
        if (isTurnRecord(record)) this.#storage.push(record);
        if (record.type !== "inbox/removed" || !isOwn(record.id)) return;
        if (record.outcome === "claimed") this.#ownTurn = record.turn ?? 0;
        this.#storage.push(record);
        return;
      }
      default:
        return;
    }
  }

  #tell(input: GoalInput): void {
    const { state, effects } = this.#reducers.stepGoal(this.#goal, input);
    this.#goal = state;
    for (const effect of effects) {
      this.effects.push(effect);
      if (effect.type === "retract") this.#take(effect);
      else this.#reserve(effect.id);
    }
  }

  #reserve(id: string): void {
    const [decided] = this.#take({ type: "send", message: { id, lane: "next-turn", wake: true } });
    if (decided?.type === "refused" || this.#agent.disposed) this.#tell({ type: "refused" });
  }
}

function counted({ sent, armsLeft }: GoalWorld, { type }: GoalWorldInput): Pick<GoalWorld, "sent" | "armsLeft"> {
  return { sent: type === "send" ? sent + 1 : sent, armsLeft: type === "arm" ? armsLeft - 1 : armsLeft };
}
