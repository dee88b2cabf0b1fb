/** The schedulers under test by name, but for the one that refuses siblings, whose scenario is older and smaller. */
import type { LeasePolicy } from "../../../core/lease/state.ts";
import type { LeasePorts, LeaseSchedulerUnderTest } from "../ports.ts";
import { ComparesRawPaths } from "./compares-raw-paths.ts";
import { DoesNotPumpOnCancel } from "./does-not-pump-on-cancel.ts";
import { ForgetsIntents } from "./forgets-intents.ts";
import { GrantsThenCancels } from "./grants-then-cancels.ts";
import { IntendsAfterApproval } from "./intends-after-approval.ts";
import { KeepsWaitersOnClose } from "./keeps-waiters-on-close.ts";
import { NeverGivesUpOnStuck } from "./never-gives-up-on-stuck.ts";
import { ReleasesByName } from "./releases-by-name.ts";
import { TrustsTheFastPath } from "./trusts-the-fast-path.ts";

export type MakeSubject = (ports: LeasePorts, policy: LeasePolicy) => LeaseSchedulerUnderTest;

export const wrongSubjects: ReadonlyMap<string, MakeSubject> = new Map<string, MakeSubject>([
  ["forgets-intents", (ports, policy) => new ForgetsIntents(ports, policy)],
  ["intends-after-approval", (ports, policy) => new IntendsAfterApproval(ports, policy)],
  ["does-not-pump-on-cancel", (ports, policy) => new DoesNotPumpOnCancel(ports, policy)],
  ["keeps-waiters-on-close", (ports, policy) => new KeepsWaitersOnClose(ports, policy)],
  ["trusts-the-fast-path", (ports, policy) => new TrustsTheFastPath(ports, policy)],
  ["never-gives-up-on-stuck", (ports, policy) => new NeverGivesUpOnStuck(ports, policy)],
  ["releases-by-name", (ports, policy) => new ReleasesByName(ports, policy)],
  ["grants-then-cancels", (ports, policy) => new GrantsThenCancels(ports, policy)],
  ["compares-raw-paths", (ports, policy) => new ComparesRawPaths(ports, policy)],
]);
