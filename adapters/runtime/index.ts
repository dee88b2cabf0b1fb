/**
 * What lowered code needs before its first line runs: puts the runtime of the microtask engine where lowered code looks
 * for it. `microloom/vite` and `microloom/loader` load it by themselves.
 */
import "../../sim/microtask/runtime.ts";
import { installPromisify } from "../../sim/microtask/realm/promisify.ts";

installPromisify();
