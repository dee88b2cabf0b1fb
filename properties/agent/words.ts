/** The parts of the contract that an agent may lack; what needs one of them is then neither given nor judged. */

/** `next-step`: nothing is sent into a running turn, neither steering nor context. */
export type Word =
  | "next-step"
  | "queue"
  | "inject"
  | "cancel-keep"
  | "cancel-clear"
  | "retract"
  | "maintenance"
  | "dispose"
  | "write-faults";

export const allWords: readonly Word[] = [
  "next-step",
  "queue",
  "inject",
  "cancel-keep",
  "cancel-clear",
  "retract",
  "maintenance",
  "dispose",
  "write-faults",
];
