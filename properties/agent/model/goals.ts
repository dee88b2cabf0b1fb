/** What an exploration must come across, or that everything held means nothing. The contract's list, stage by stage. */
import type { AgentEffect, Stage } from "../../../core/agent/state.ts";
import type { Goal } from "../../../sim/model/model.ts";
import type { Bounds } from "./bounds.ts";
import { has, isIdle, opensTurn, shows, wakes } from "./seen.ts";
import type { World, WorldInput } from "./world.ts";

type WorldGoal = Goal<World, WorldInput, AgentEffect>;
/** `needs`: the bounds below which nobody can reach it. */
type BoundedGoal = WorldGoal & { readonly needs: Partial<Bounds> };

export function goalsWithin(bounds: Bounds): readonly WorldGoal[] {
  return all.filter(({ needs }) => isWithin(needs, bounds));
}

/** Names the goals that these bounds leave out. */
export function goalsBeyond(bounds: Bounds): readonly string[] {
  return all.filter(({ needs }) => !isWithin(needs, bounds)).map(({ name }) => name);
}

function isWithin(needs: Partial<Bounds>, bounds: Bounds): boolean {
  const { sends = 0, cancels = 0, retracts = 0, disposes = 0, maintenances = 0, writeFaults = 0, crashes = 0 } = needs;
  return (
    sends <= bounds.sends &&
    cancels <= bounds.cancels &&
    retracts <= bounds.retracts &&
    disposes <= bounds.disposes &&
    maintenances <= bounds.maintenances &&
    writeFaults <= bounds.writeFaults &&
    crashes <= bounds.crashes
  );
}

type Place = Stage | "idle" | "maintenance";

function placeOf({ agent: { phase } }: World): Place {
  return phase.kind === "running" ? phase.stage : phase.kind;
}

/** At least these bounds bring somebody into the place with a message of their own. */
function toBeIn(place: Place): Partial<Bounds> {
  return place === "idle" ? {} : place === "maintenance" ? { maintenances: 1 } : { sends: 1 };
}

const places: readonly Place[] = ["idle", "maintenance", "opening", "proposing", "stepping", "closing"];

const inEachStage: readonly BoundedGoal[] = places.flatMap((place): readonly BoundedGoal[] => {
  const into = toBeIn(place);
  const wake: BoundedGoal = {
    name: `a wake in ${place}`,
    needs: { ...into, sends: (into.sends ?? 0) + 1 },
    reached: (before, _input, _after, effects) => wakes(effects) && placeOf(before) === place,
  };
  const stop: BoundedGoal = {
    name: `a stop in ${place}`,
    needs: { ...into, cancels: 1 },
    reached: (before, input) => input.type === "cancel" && !before.past.stopped && placeOf(before) === place,
  };
  const dispose: BoundedGoal = {
    name: `a dispose in ${place}`,
    needs: { ...into, disposes: 1 },
    reached: (before, input) => input.type === "dispose" && !before.agent.disposed && placeOf(before) === place,
  };
  const crash: BoundedGoal = {
    name: `a crash in ${place}`,
    needs: { ...into, crashes: 1 },
    reached: (before, input) => input.type === "crash" && placeOf(before) === place,
  };
  return [wake, stop, dispose, crash];
});

const all: readonly BoundedGoal[] = [
  {
    name: "a replayed latch",
    needs: { sends: 2, cancels: 1 },
    reached: (before, _input, _after, effects) =>
      shows(effects, "idle") && shows(effects, "running") && !isIdle(before),
  },
  ...inEachStage,
  {
    name: "a second stop",
    needs: { sends: 1, cancels: 2 },
    reached: ({ past }, input) => input.type === "cancel" && past.stopped,
  },
  {
    name: "a stop on the turn boundary",
    needs: { sends: 2, cancels: 1 },
    reached: (before, input) =>
      input.type === "cancel" &&
      !before.past.stopped &&
      placeOf(before) === "closing" &&
      before.fates.some(({ place, owed }) => place === "pending" && owed === "live"),
  },
  {
    name: "a retract inside the convergence window",
    needs: { sends: 2, cancels: 1, retracts: 1 },
    reached: ({ past }, input, _after, effects) => input.type === "retract" && past.stopped && has(effects, "append"),
  },
  {
    name: "an empty turn",
    needs: { sends: 1, retracts: 1 },
    reached: (_before, _input, _after, effects) =>
      effects.some((effect) => effect.type === "propose" && effect.step === 1 && effect.messages.length === 0),
  },
  {
    name: "a steer that enters a later step",
    needs: { sends: 2 },
    reached: (_before, _input, _after, effects) =>
      effects.some(
        ({ type, ...effect }) =>
          type === "run-step" && "step" in effect && effect.step > 1 && effect.messages.some(({ wake }) => wake),
      ),
  },
  {
    name: "a steer that becomes a queued turn",
    needs: { sends: 2 },
    reached: (_before, input, after, effects) =>
      input.type === "send" &&
      input.message.lane === "next-step" &&
      has(effects, "append") &&
      after.fates.at(-1)?.lane === "next-turn",
  },
  {
    name: "a wake during stopped maintenance",
    needs: { sends: 1, cancels: 1, maintenances: 1 },
    reached: (before, _input, _after, effects) =>
      wakes(effects) && before.past.stopped && placeOf(before) === "maintenance",
  },
  {
    name: "a write fault on turn/start",
    needs: { sends: 1, writeFaults: 1 },
    reached: faultOn("turn/start"),
  },
  {
    name: "a write fault on turn/end",
    needs: { sends: 1, writeFaults: 1 },
    reached: faultOn("turn/end"),
  },
  {
    name: "two turns in one driver",
    needs: { sends: 2 },
    reached: (_before, input, _after, effects) =>
      input.type === "written" && opensTurn(effects) && !shows(effects, "running"),
  },
];

function faultOn(type: "turn/start" | "turn/end"): WorldGoal["reached"] {
  return (_before, input) => input.type === "write-failed" && input.record.type === type;
}
