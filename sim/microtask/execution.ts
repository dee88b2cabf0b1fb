/** Where an execution begins and ends: between, Promise and every job are ours. */
import { rest } from "./drain.ts";
import { turnHeirs } from "./heir.ts";
import { type Host, serve } from "./queue.ts";
import { tell } from "./told.ts";

/** Begins an execution with empty queues, wherever the code of the one before was ended. */
export function begin(host: Host): void {
  serve(host);
  rest();
  turnHeirs(true);
}

/** Ends the execution: what is left in its queues never runs. */
export function end(): void {
  serve(null);
  rest();
  tell(null);
  turnHeirs(false);
}
