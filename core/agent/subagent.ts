import { check } from "../shape.ts";
import { messageShape } from "./input.ts";
import type { Agent, Receipt } from "./ports.ts";
import type { Message } from "./state.ts";

export const subagent = {
  /**
   * Stops what a child is doing and gives it something else to do. The child may have gone a moment ago without the
   * parent knowing, so an absent or disposed child is an accepted no-op.
   */
  interrupt(child: Pick<Agent, "cancel" | "send" | "state"> | undefined, message: Message): Receipt {
    check("message", message, messageShape);
    if (!child || child.state.disposed) return { outcome: "accepted" };
    child.cancel("interrupted", { keepInbox: true });
    return child.send({ ...message, wake: true });
  },
};
