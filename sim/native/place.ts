/** Finds in a stack the line that is somebody's. */
import type { SourceLocation } from "../result.ts";
import type { StackLine } from "../stack.ts";

const drain = "node:internal/process/task_queues";

/** What stands below it in a stack has nothing to do with what stands above. */
export function isDrain(line: StackLine | undefined): boolean {
  return line?.text.includes(drain) === true;
}

/** The nearest line of one's own code, or else of a package. */
export function placeOf(lines: readonly StackLine[]): SourceLocation | null {
  let installed: SourceLocation | null = null;
  for (const { text, frame } of lines) {
    if (isDrain({ text, frame })) break;
    if (frame === null) continue;
    if (!frame.at.file.startsWith("node_modules/")) return frame.at;
    installed ??= frame.at;
  }
  return installed;
}
