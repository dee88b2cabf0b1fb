/** Bundled, and run as a process of its own: prints what code under test sees of time zones, on the main thread and in a worker. */
import { once } from "node:events";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { scenario } from "../../../scenario.ts";
import { search } from "../../../search.ts";

async function look(): Promise<unknown> {
  const before = outside();
  const inside: unknown[] = [];
  const scenarioWithZone = scenario("zones", () => {
    const summer = new Date(2020, 6, 1, 12);
    inside.push({
      zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      summer: summer.toISOString(),
      hours: summer.getHours(),
      offset: summer.getTimezoneOffset(),
      text: String(summer),
      locale: summer.toLocaleString("en-US"),
      standard: new Date("2020-07-01T12:00").getTime() - summer.getTime(),
      other: Date.parse("July 1, 2020 12:00") - summer.getTime(),
      called: Date(),
    });
    process.env.TZ = "Asia/Tokyo";
  });
  // Two batches.
  for (const seed of ["1", "2"]) await search(scenarioWithZone, { strategy: "first-come", executions: 1, seed });
  return { inside: [...new Set(inside.map((seen) => JSON.stringify(seen)))], before, after: outside() };
}

function outside(): unknown {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return { timeZone, hours: new Date(0).getHours(), own: Object.getOwnPropertyDescriptor(process.env, "TZ") ?? null };
}

const seen = await look();
if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url));
  const [inWorker]: unknown[] = await once(worker, "message");
  console.log(JSON.stringify({ main: seen, worker: inWorker }));
} else {
  parentPort?.postMessage(seen);
}
