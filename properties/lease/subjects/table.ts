/** What each subject is known to break first, as the contract's table has it. */
import { defaultPolicy, type LeasePolicy } from "../../../core/lease/state.ts";
import type { Level } from "../../../sim/result.ts";
import type { LeasePorts, LeaseSchedulerUnderTest } from "../ports.ts";
import { wrongSubjects } from "./all.ts";
import { RefusesSiblings } from "./refuses-siblings.ts";

export type LeaseSubject = {
  readonly name: string;
  readonly make: (ports: LeasePorts) => LeaseSchedulerUnderTest;
  /** What is reported first. */
  readonly breaks: readonly [first: string];
  /** The strongest at which it does. */
  readonly level: Level;
};

export const leaseSubjects: readonly LeaseSubject[] = [
  row("refuses-siblings", "sibling-calls-queue"),
  row("forgets-intents", "parent-child-exclusive"),
  row("intends-after-approval", "parent-child-exclusive"),
  row("does-not-pump-on-cancel", "no-idle-waiter"),
  row("keeps-waiters-on-close", "close-leaves-nothing"),
  row("trusts-the-fast-path", "no-grant-to-the-dead"),
  row("never-gives-up-on-stuck", "close-leaves-nothing"),
  row("releases-by-name", "single-writer"),
  row("grants-then-cancels", "no-grant-to-the-dead"),
  row("compares-raw-paths", "single-writer"),
];

function row(name: string, first: string): LeaseSubject {
  const make =
    wrongSubjects.get(name) ?? ((ports: LeasePorts, policy: LeasePolicy) => new RefusesSiblings(ports, policy));
  return { name, make: (ports) => make(ports, defaultPolicy), breaks: [`lease/${first}`], level: "spec" };
}
