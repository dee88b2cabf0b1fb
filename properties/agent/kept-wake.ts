/**
 * A wake that comes a number of ticks after the end of a turn has landed. One tick is one round of the microtask queue, so
 * between the landing and the rest of the agent every place is a number, and all of them can be tried.
 */
import { type Scenario, scenario } from "../../sim/scenario.ts";
import { type Judged, judgedIn, type MakeSubject, sendAndWait } from "./kept.ts";
import { type Outside, plainLabels } from "./outside.ts";
import type { OutsidePorts, RecordedAgent } from "./recorder.ts";
import { presets } from "./script.ts";

export type LateWake = {
  readonly ticks: number;
  /** How the turn ends: by itself, or because somebody stops it. */
  readonly turn: "completed" | "stopped";
  /** Told when the wake is sent: whether the agent had come to rest, and told everybody who waited, before. */
  readonly onWake: (atRest: boolean) => void;
};

export function wakeAfterTurnEnd(make: MakeSubject, { ticks, turn, onWake }: LateWake): Scenario {
  return scenario(`a wake ${ticks} ticks after turn/end has landed, the turn ${turn}`, (world) => {
    let atRest = false;
    const around = (outside: Outside, seen: () => Judged): OutsidePorts => ({
      ...outside,
      append(record) {
        if (record.type !== "turn/end" || record.turn > 1) return outside.append(record);
        // With 0 ticks it comes in the delivery itself, before anybody learns that the record has landed.
        return world.io(plainLabels.turnEnd, () => void after(ticks, () => wake(seen().agent)));
      },
      runStep(step) {
        const stop = () => seen().agent.cancel("stop", { keepInbox: true });
        if (turn === "stopped" && step.turn === 1) queueMicrotask(stop);
        return outside.runStep(step);
      },
    });
    const wake = (agent: RecordedAgent) => {
      onWake(atRest);
      sendAndWait(agent, { id: "late", ...presets.followUp });
    };
    const { agent } = judgedIn(world, make, around);
    world.actor("user", async () => {
      agent.send({ id: "a", ...presets.followUp });
      await agent.whenIdle();
      atRest = true;
    });
  });
}

async function after(ticks: number, act: () => void): Promise<void> {
  for (let tick = 0; tick < ticks; tick++) await null;
  act();
}
