/** CommonJS: whatever is compiled goes through one function of Node's, also what tsx made of it. */
import Module from "node:module";
import { isToBeLowered } from "../lowering/what-is-lowered.ts";
import { formatAfter, formatOf, loweredSource } from "./lowered-source.ts";

type Callable = (...args: readonly unknown[]) => unknown;

export function lowerCommonJs(): void {
  const compile: unknown = Reflect.get(Module.prototype, "_compile");
  if (!isCallable(compile)) throw new TypeError("Cannot lower CommonJS: this Node has no Module.prototype._compile");
  Reflect.set(Module.prototype, "_compile", function (this: unknown, ...args: readonly unknown[]): unknown {
    const [text, name, asked, ...rest] = args;
    const format = formatOf(asked);
    const file = typeof name === "string" ? name.replace(/\?.*$/s, "") : null;
    if (typeof text !== "string" || file === null || format === undefined || !isToBeLowered(file))
      return Reflect.apply(compile, this, args);
    const source = loweredSource(text, file, format);
    const after = format === null ? asked : (formatAfter(format) ?? undefined);
    return Reflect.apply(compile, this, [source, name, after, ...rest]);
  });
}

function isCallable(value: unknown): value is Callable {
  return typeof value === "function";
}
