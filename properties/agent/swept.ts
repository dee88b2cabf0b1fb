import type { AgentCommand } from "../../core/agent/state.ts";
import type { Script } from "./script.ts";

/** The script with the command put in at each of its places, the first and the last among them. */
export function swept(script: Script, command: AgentCommand): readonly Script[] {
  const first = script[0]?.type === "outside" ? 1 : 0;
  return Array.from({ length: script.length - first + 1 }, (_, at) => script.toSpliced(first + at, 0, command));
}
