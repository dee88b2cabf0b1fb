import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { run } from "../../../cli/testing/command.ts";

const bundle = ".microloom/zone-probe.mjs";
const probed = build({
  entryPoints: ["sim/native/realm/testing/zone-probe.ts"],
  outfile: bundle,
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
});

const inside = {
  zone: "UTC",
  summer: "2020-07-01T12:00:00.000Z",
  hours: 12,
  offset: 0,
  text: "Wed Jul 01 2020 12:00:00 GMT+0000 (Coordinated Universal Time)",
  locale: "7/1/2020, 12:00:00 PM",
  standard: 0,
  other: 0,
  called: "Wed Jan 01 2020 00:00:00 GMT+0000 (Coordinated Universal Time)",
};

describe("Zone makes UTC the zone of a batch, on the main thread and in a worker", () => {
  const zones: [string, Record<string, unknown>][] = [
    ["America/New_York", { timeZone: "America/New_York", hours: 19 }],
    ["Asia/Tokyo", { timeZone: "Asia/Tokyo", hours: 9 }],
    ["UTC", { timeZone: "UTC", hours: 0 }],
  ];
  test.each(zones)("where the machine is in %s", async (tz, around) => {
    await probed;
    const ran = await run(process.execPath, [bundle], { env: { TZ: tz, LC_ALL: "en_US.UTF-8" } });
    expect(ran.err).toBe("");
    const own = { value: tz, writable: true, enumerable: true, configurable: true };
    const seen = { inside: [JSON.stringify(inside)], before: { ...around, own }, after: { ...around, own } };
    expect(JSON.parse(ran.out)).toEqual({ main: seen, worker: seen });
  });

  test("where the environment says nothing, it says nothing afterwards", async () => {
    await probed;
    const script = `import("./${bundle}")`;
    const ran = await run("/usr/bin/env", ["-u", "TZ", process.execPath, "-e", script], { env: { LC_ALL: "C" } });
    expect(ran.err).toBe("");
    expect(JSON.parse(ran.out)).toMatchObject({
      main: { inside: [JSON.stringify(inside)], before: { own: null }, after: { own: null } },
    });
  });
});
