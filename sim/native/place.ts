/** Finds in a stack the line that is somebody's. */
import type { SourceLocation } from "../result.ts";
import { frameText, type StackLine } from "../stack.ts";

const callersKept = 10;

const drain = "node:internal/process/task_queues";

/** What stands below it in a stack has nothing to do with what stands above. */
export function isDrain(line: StackLine | undefined): boolean {
  return line?.text.includes(drain) === true;
}

/** The frames of code that is not ours below the place, as a person reads them. */
export function callersOf(lines: readonly StackLine[]): string[] {
  const place = placeOf(lines);
  const texts: string[] = [];
  let below = false;
  for (const line of lines) {
    if (isDrain(line) || texts.length === callersKept) break;
    if (line.frame !== null && below) texts.push(frameText(line.frame));
    if (line.frame?.at === place) below = true;
  }
  return texts;
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
