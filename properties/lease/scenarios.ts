/** From a way to make a lease scheduler to a scenario: calls of one assistant message that run side by side. */
import { createLeaseScheduler } from "../../core/lease/host.ts";
import type { Footprint } from "../../core/lease/state.ts";
import { type Scenario, scenario, type World } from "../../sim/scenario.ts";
import type { Invariant } from "../invariant.ts";
import { type LeaseHistory, LeaseRecording } from "./history.ts";
import { singleWriter } from "./invariants/leases.ts";
import { oneOutcome } from "./invariants/outcomes.ts";
import { siblingCallsQueue } from "./invariants/queue.ts";
import type { LeasePorts, LeaseSchedulerUnderTest } from "./ports.ts";
import { leaseSituation } from "./situation.ts";
import { situations } from "./situations.ts";
import { type MakeSubject, wrongSubjects } from "./subjects/all.ts";
import { RefusesSiblings } from "./subjects/refuses-siblings.ts";

export type ToolCall = { readonly call: string; readonly footprint: Footprint };

/** The smallest form of the lease note's first defect: two commands, of which nobody knows what they write. */
export const siblingCommands: readonly ToolCall[] = [
  { call: "command-1", footprint: { kind: "workspace" } },
  { call: "command-2", footprint: { kind: "workspace" } },
];

export type LeaseScenarioOptions = {
  readonly name: string;
  readonly make: (ports: LeasePorts) => LeaseSchedulerUnderTest;
  readonly calls?: readonly ToolCall[];
};

const always: readonly Invariant<LeaseHistory>[] = [singleWriter, siblingCallsQueue];
const atQuiescence: readonly Invariant<LeaseHistory>[] = [oneOutcome];

export function leaseScenario({ name, make, calls = siblingCommands }: LeaseScenarioOptions): Scenario {
  return scenario(name, (world) => {
    const recording = new LeaseRecording();
    const scheduler = make({ approve: (call) => world.io(`user:approve ${call}`, () => true) });
    // A request and a release are written down, which is seen; an approval is not, so it touches everything.
    for (const call of calls) {
      world.actor(call.call, () => runTool(world, scheduler, recording, call), { touches: {} });
    }
    for (const { name, violation, why } of always) world.always(name, () => violation(recording) ?? true, why);
    for (const { name, violation, why } of atQuiescence)
      world.atQuiescence(name, () => violation(recording) ?? true, why);
    world.sometimes("a call waited for its sibling", () => waited(recording));
  });
}

/** One tool call, from its request to its release. A refusal is an answer, and not an error of the scenario. */
async function runTool(
  world: World,
  scheduler: LeaseSchedulerUnderTest,
  recording: LeaseRecording,
  { call, footprint }: ToolCall,
): Promise<void> {
  const asked = { call, owner: "root", footprint, needsApproval: false, aborted: false };
  recording.saw({ seen: "requested", ...asked, atMs: world.nowMs });
  let grant: Awaited<ReturnType<LeaseSchedulerUnderTest["acquire"]>>;
  try {
    grant = await scheduler.acquire({ call, owner: "root", footprint, signal: new AbortController().signal });
  } catch (error) {
    // To wait longer than the limit is no refusal: the caller may try again, and the error says so.
    const expired = error instanceof Error && "retryable" in error && error.retryable === true;
    const reason = error instanceof Error ? error.message : String(error);
    if (expired) recording.saw({ seen: "expired", call, path: null, atMs: world.nowMs });
    else recording.saw({ seen: "refused", call, reason, path: null, holder: null });
    return;
  }
  const { fence = null } = grant;
  recording.saw({ seen: "granted", call, fence });
  try {
    await world.io("run", () => undefined, { touches: {} });
  } finally {
    recording.saw({ seen: "released", call, fence });
    grant.release();
  }
}

/** True when a call was requested while another one ran, and was granted later. */
function waited({ sightings }: LeaseHistory): boolean {
  const running = new Set<string>();
  const waiting = new Set<string>();
  for (const sighting of sightings) {
    const { seen } = sighting;
    if (seen === "requested" && running.size > 0) waiting.add(sighting.call);
    if (seen === "granted" && waiting.has(sighting.call)) return true;
    if (seen === "granted") running.add(sighting.call);
    if (seen === "released") running.delete(sighting.call);
  }
  return false;
}

export const refusesSiblings: Scenario = leaseScenario({
  name: "microloom:lease/refuses-siblings",
  make: (ports) => new RefusesSiblings(ports),
});

/** Each of the others in the situation that has its story in it; with no script of its own an exploration runs that. */
export const wrongLeases: readonly Scenario[] = Object.entries(situations).map(([name, situation]) => {
  const make: MakeSubject | undefined = wrongSubjects.get(name);
  if (make === undefined) throw new Error(`Cannot make the scenario of "${name}": there is no such subject`);
  return leaseSituation({ name: `microloom:lease/${name}`, make, situation });
});

export const coreLease: Scenario = leaseScenario({
  name: "microloom:lease/core",
  make: (ports) => createLeaseScheduler(ports),
});
