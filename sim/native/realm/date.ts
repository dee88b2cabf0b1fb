/** Date on the virtual clock. Its objects are ordinary ones: Node's prototype, Node's internals. */
import { epochMs } from "./clock.ts";
import type { RealmHost } from "./host.ts";
import { parseAsUtc } from "./parse-utc.ts";
import { kept, type Patch } from "./patch.ts";
import type { Zone } from "./zone.ts";

const RealDate = Date;

export function datePatches(host: Pick<RealmHost, "readClock" | "live">, zone: Pick<Zone, "patched">): Patch[] {
  const value = virtualDate(host, zone);
  return [
    { target: globalThis, key: "Date", value },
    { target: RealDate.prototype, key: "constructor", value },
    // Ours lives as long as the campaign: what an execution puts on it must not reach the next batch.
    ...kept(value, "now", "parse", "UTC"),
  ];
}

function virtualDate(host: Pick<RealmHost, "readClock" | "live">, zone: Pick<Zone, "patched">): object {
  // Who keeps this class past the batch has the real time there.
  const now = (): number =>
    host.live ? epochMs + host.readClock() : Reflect.apply(currentNow(VirtualDate), undefined, []);
  function VirtualDate(this: unknown, ...args: unknown[]): unknown {
    if (new.target === undefined) return new RealDate(now()).toString();
    if (args.length === 0) return Reflect.construct(RealDate, [now()], new.target);
    return Reflect.construct(RealDate, zone.patched ? asUtc(args) : args, new.target);
  }
  Object.setPrototypeOf(VirtualDate, RealDate);
  Object.defineProperty(VirtualDate, "name", { value: "Date" });
  Object.defineProperty(VirtualDate, "length", { value: RealDate.length });
  Object.defineProperty(VirtualDate, "prototype", { value: RealDate.prototype, writable: false });
  const own = {
    now,
    parse: (text: unknown) => (zone.patched ? parseAsUtc(String(text)) : RealDate.parse(String(text))),
    UTC: RealDate.UTC,
  };
  for (const [key, value] of Object.entries(own)) {
    Object.defineProperty(VirtualDate, key, { value, writable: true, configurable: true });
  }
  return VirtualDate;
}

function currentNow(ours: object): () => number {
  return globalThis.Date === ours ? RealDate.now : globalThis.Date.now;
}

/** The arguments of a Date that mean in the machine's zone what the given ones mean in UTC. */
function asUtc(args: readonly unknown[]): readonly unknown[] {
  const [first] = args;
  if (args.length > 1) return [Reflect.apply(RealDate.UTC, RealDate, args)];
  return typeof first === "string" ? [parseAsUtc(first)] : args;
}
