import { processes } from "./clock.ts";
import type { RealmHost } from "./host.ts";
import { onEach, type Patch } from "./patch.ts";

/** Code under test that ends the process would end the search, and look like a pass. */
export function exitPatches(host: Pick<RealmHost, "uncaught">): Patch[] {
  function exit(code?: unknown): never {
    const error = new Error(`process.exit(${code === undefined ? "" : String(code)}) was called`);
    host.uncaught(error);
    throw error;
  }
  return onEach(processes, (target) => [{ target, key: "exit", value: exit }]);
}
