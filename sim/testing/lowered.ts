import { fileURLToPath } from "node:url";
import { lower } from "../lowering/lower.ts";
import "../microtask/runtime.ts";

/**
 * Lowers the body of a function, runs it and gives what it returns. `caller` is the `import.meta.url` of the test: the
 * scenarios that it makes then count as lowered.
 */
export function lowered<T>(caller: string, text: string): T {
  const { code } = lower(text, { file: fileURLToPath(caller), sourceType: "script" });
  return Reflect.apply(new Function(code), undefined, []);
}
