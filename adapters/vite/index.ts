/** `microloom/vite`: lowers what Vite transforms for Node, tests above all, for the microtask engine. */
export { type LoweringOptions, microloom } from "./plugin.ts";
