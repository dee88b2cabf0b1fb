/**
 * The clocks beside Date: performance.now, process.hrtime, process.uptime. All of them read the engine's virtual clock,
 * and all of them began with the execution, so that `performance.timeOrigin + performance.now()` is `Date.now()`.
 */
import { createRequire } from "node:module";
import { performance as nodePerformance } from "node:perf_hooks";
import { hostProcess } from "../host-context.ts";
import { original } from "../original.ts";
import type { RealmHost } from "./host.ts";
import { onEach, type Patch } from "./patch.ts";

/** Virtual time 0, as Date tells it: 2020-01-01T00:00:00Z. */
export const epochMs = 1_577_836_800_000;

/** A test environment may have put its own in place of Node's; code under test reaches both. */
export const performances: readonly (typeof nodePerformance)[] = [globalThis.performance, nodePerformance];
export const processes: readonly object[] = [globalThis.process, hostProcess];
export const perfHooks: object = createRequire(import.meta.url)("node:perf_hooks");

const realHrtime: unknown = original(hostProcess.hrtime);

type HostClock = Pick<RealmHost, "readClock">;

export function clockPatches(host: HostClock): Patch[] {
  function now(): number {
    return host.readClock();
  }
  function uptime(): number {
    return host.readClock() / 1_000;
  }
  const hrtime = virtualHrtime(host);
  return [
    ...onEach(performances, (target) => [
      { target, key: "now", value: now },
      { target, key: "timeOrigin", value: epochMs },
    ]),
    ...onEach(processes, (target) => [
      { target, key: "hrtime", value: hrtime },
      { target, key: "uptime", value: uptime },
    ]),
  ];
}

function virtualHrtime(host: HostClock): unknown {
  function hrtime(earlier?: unknown): [number, number] {
    const ms = host.readClock();
    const seconds = Math.trunc(ms / 1_000);
    const nanoseconds = (ms - seconds * 1_000) * 1_000_000;
    if (earlier === undefined) return [seconds, nanoseconds];
    // Node's own throws what this Node throws.
    if (!Array.isArray(earlier) || earlier.length !== 2) callReal(realHrtime, [earlier]);
    const since: ArrayLike<unknown> = Array.isArray(earlier) ? earlier : [];
    const difference = nanoseconds - Number(since[1]);
    const borrowed = difference < 0 ? 1 : 0;
    return [seconds - Number(since[0]) - borrowed, difference + borrowed * 1_000_000_000];
  }
  return Object.assign(hrtime, {
    bigint(): bigint {
      return BigInt(Math.trunc(host.readClock())) * 1_000_000n;
    },
  });
}

function callReal(real: unknown, args: readonly unknown[]): void {
  if (typeof real === "function") Reflect.apply(real, hostProcess, args);
}
