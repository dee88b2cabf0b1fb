/**
 * The virtual realm: what code under test sees of time and chance while a batch runs. Installed at the start of a
 * batch, taken away at its end; what was found is restored exactly, property descriptors and all.
 */
import { createRequire, syncBuiltinESMExports } from "node:module";
import { forgetFollowers } from "./foreign-signal.ts";
import { leakPatches } from "./leaks/patches.ts";
import { clockPatches } from "./realm/clock.ts";
import { cryptoPatches } from "./realm/crypto.ts";
import { datePatches } from "./realm/date.ts";
import { eventPatches } from "./realm/events.ts";
import { exitPatches } from "./realm/exit.ts";
import type { RealmHost } from "./realm/host.ts";
import { kept, type Patch, patchesOf, Replacements, whileInPlace } from "./realm/patch.ts";
import { ProcessErrors } from "./realm/process-errors.ts";
import { timelinePatches } from "./realm/timeline.ts";
import { utcCalendarPatches } from "./realm/utc-calendar.ts";
import { Zone } from "./realm/zone.ts";
import type { TimerFunctions } from "./timers.ts";

const require = createRequire(import.meta.url);
const timersModule: object = require("node:timers");
const timersPromises: object = require("node:timers/promises");
const realScheduler: object = Reflect.get(timersPromises, "scheduler");

export class Realm {
  readonly #patches: readonly Patch[];
  readonly #calendar: readonly Patch[] = utcCalendarPatches();
  readonly #replacements = new Replacements();
  readonly #zone = new Zone();
  readonly #errors: ProcessErrors;

  /** `queue`: what decides which job comes when. */
  constructor(host: RealmHost, timers: TimerFunctions, queue: readonly Patch[]) {
    this.#errors = new ProcessErrors(host);
    const { scheduler, ...promises } = timers.promises;
    const lasting = (patches: readonly Patch[]): Patch[] => whileInPlace(patches, () => host.live);
    this.#patches = [
      // What the others belong to: code under test may replace a whole object.
      ...kept(globalThis, "performance", "crypto", "process", "Math", "Intl"),
      ...lasting(patchesOf(globalThis, timers.plain)),
      ...lasting(patchesOf(timersModule, timers.plain)),
      ...patchesOf(timersPromises, promises),
      // Its methods, not itself: who has imported it by name keeps it.
      ...patchesOf(realScheduler, scheduler),
      ...datePatches(host, this.#zone),
      ...lasting(clockPatches(host)),
      ...timelinePatches(host),
      ...lasting([{ target: Math, key: "random", value: () => host.random() }]),
      ...cryptoPatches(host),
      ...queue,
      ...exitPatches(host),
      ...eventPatches(timers),
      ...leakPatches((kind) => host.leaked(kind)),
      // Stacks are more than a third of the time of a search; the failing schedule runs again with them.
      { target: Error, key: "stackTraceLimit", value: 0 },
    ];
  }

  enter(): void {
    this.#zone.enter();
    if (this.#zone.patched) this.#replacements.install(this.#calendar);
    this.#replacements.install(this.#patches);
    syncBuiltinESMExports();
    this.#errors.enter();
  }

  leave(): void {
    forgetFollowers();
    try {
      this.#replacements.restore();
    } finally {
      this.#zone.leave();
      syncBuiltinESMExports();
      this.#errors.leave();
    }
  }
}
