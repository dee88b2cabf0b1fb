/** Results as lines for a terminal. */
export { renderExplore } from "./explore.ts";
export { type ConsoleOptions, lineLimit } from "./lines.ts";
export { renderReplay } from "./replay.ts";
