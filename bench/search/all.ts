/**
 * Every program of the bench. The first nine are those for which the strategies were made; the others were written
 * afterwards and apart, and no strategy may ever be tuned to them: they show what a search is worth elsewhere.
 */
import { batchWindow } from "./others/batch-window.ts";
import { cacheFill } from "./others/cache-fill.ts";
import { cursorClose } from "./others/cursor-close.ts";
import { leaseRenewal } from "./others/lease-renewal.ts";
import { paginationInsert } from "./others/pagination-insert.ts";
import { retryBackoff } from "./others/retry-backoff.ts";
import { semaphoreHandoff } from "./others/semaphore-handoff.ts";
import { twoPhaseCommit } from "./others/two-phase-commit.ts";
import { unsubscribeDelivery } from "./others/unsubscribe-delivery.ts";
import type { Program } from "./program.ts";
import { cancelWindow } from "./programs/cancel-window.ts";
import { disposeMaint } from "./programs/dispose-maintenance.ts";
import { lateCompletion } from "./programs/late-completion.ts";
import { leaseDeadlock } from "./programs/lease-deadlock.ts";
import { lostUpdate } from "./programs/lost-update.ts";
import { lostWakeup } from "./programs/lost-wakeup.ts";
import { midWindow } from "./programs/mid-window.ts";
import { staleGen } from "./programs/stale-generation.ts";
import { twoWindows } from "./programs/two-windows.ts";

export const programs: readonly Program[] = [
  lostUpdate,
  cancelWindow,
  lateCompletion,
  midWindow,
  disposeMaint,
  leaseDeadlock,
  staleGen,
  twoWindows,
  lostWakeup,
];

export const others: readonly Program[] = [
  cacheFill,
  twoPhaseCommit,
  cursorClose,
  retryBackoff,
  semaphoreHandoff,
  unsubscribeDelivery,
  batchWindow,
  leaseRenewal,
  paginationInsert,
];
