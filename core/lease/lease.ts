/** The pure half of the lease scheduler under one name, as `core/index.ts` exports it: for replay, checks and own hosts. */
import { nextDeadlineMs } from "./deadline.ts";
import { mayWrite } from "./may-write.ts";
import { defaultPolicy, initialState } from "./state.ts";
import { transition } from "./transition.ts";

export const lease = { initialState, transition, nextDeadlineMs, mayWrite, defaultPolicy };
