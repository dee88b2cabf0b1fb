import { quoted } from "../../repro/quoted.ts";

/** A task that went ahead of older ones that waited. */
export type Release = { readonly task: string; readonly overtaken: readonly string[] };

const told = 10;

/**
 * Says in which order tasks came that first-come would have released in another one: of each that was overtaken, the
 * last that went ahead of it, because that one decides for how long it waited.
 */
export function orderingLines(releases: readonly Release[]): string[] {
  const last = new Map<string, string>();
  for (const { task, overtaken } of releases) {
    for (const each of overtaken) {
      last.delete(each);
      last.set(each, task);
    }
  }
  const lines = [...last].map(([then, first]) => `${first} came before ${then}.`);
  return lines.length <= told ? lines : [...lines.slice(0, told), `and ${lines.length - told} more`];
}

/** Names a task as the report beside it does. */
export function taskPhrase(taskId: number, label: string): string {
  return label === "" ? `Task ${taskId}` : `${quoted(label, 60)} (task ${taskId})`;
}
