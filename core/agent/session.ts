import type { Agent } from "./ports.ts";

/** What a web page's stop button does: it ends the running turn and keeps what is queued. */
export const session = {
  cancel(agent: Pick<Agent, "cancel">, cause: string): void {
    agent.cancel(cause, { keepInbox: true });
  },
};
