/**
 * The default time zone of a batch is UTC, whatever the machine's is. The main thread changes it by the environment, and
 * V8 takes notice. In a worker thread the environment is a copy, as it is where a test runner has put one in its place:
 * there UTC's calendar stands in (`utc-calendar.ts`). Intl is not asked what the zone is, because the first question to
 * it costs more than a whole batch.
 */
import nodeProcess from "node:process";
import { isMainThread } from "node:worker_threads";

const { getTimezoneOffset } = Date.prototype;
/** Every zone that is not UTC was, at one of these times, not at UTC: 1900, 1970, the winter and the summer of 2020. */
const probes = [-2_208_988_800_000, 0, 1_577_836_800_000, 1_593_561_600_000].map((time) => new Date(time));

let environmentWorks: boolean | null = null;

export class Zone {
  /** UTC's calendar has to stand in. */
  patched = false;
  #entered = false;
  #tz: string | undefined;

  enter(): void {
    this.#entered = true;
    this.#tz = nodeProcess.env.TZ;
    // Not in a worker: an environment that it shares belongs to the other threads, too.
    if (isMainThread) setTz("UTC");
    environmentWorks ??= isMainThread && probes.every((date) => Reflect.apply(getTimezoneOffset, date, []) === 0);
    this.patched = !environmentWorks;
  }

  /** Restores TZ, also when code under test has changed it. */
  leave(): void {
    this.patched = false;
    if (!this.#entered) return;
    this.#entered = false;
    setTz(this.#tz);
  }
}

function setTz(tz: string | undefined): void {
  const { env } = nodeProcess;
  if (env.TZ === tz) return;
  if (tz === undefined) Reflect.deleteProperty(env, "TZ");
  else env.TZ = tz;
}
