/**
 * `node --import microloom/loader`: lowers every file of JavaScript that is loaded from here on, for the microtask engine.
 * Works before and after tsx. Outside of an exploration, lowered code behaves as usual.
 */
import "../runtime/index.ts";
import { lowerCommonJs } from "./commonjs.ts";
import { registerOutermost } from "./outermost.ts";

const key = Symbol.for("microloom.loader");

// Another copy of this package may have been here.
if (!Reflect.has(globalThis, key)) {
  Reflect.set(globalThis, key, true);
  // Lines do not move, but columns do: stacks lead back to what was written.
  process.setSourceMapsEnabled(true);
  lowerCommonJs();
  registerOutermost();
}
