/** fast-check with our scheduler in the place of its own: a test that says `fc.scheduler()` changes its import only. */
export * from "fast-check";
export { scheduler } from "./scheduler.ts";
