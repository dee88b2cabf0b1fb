import { escaped, invisible } from "../repro/quoted.ts";

/** Where a command writes: results to standard output, warnings to standard error. */
export type Output = {
  readonly style: { readonly color: boolean; readonly command: string };
  lines(lines: readonly string[]): void;
  json(value: unknown): void;
  warn(line: string): void;
};

/** Colours only where a person reads them: a terminal, and NO_COLOR not set (https://no-color.org). */
export function standardOutput(command: string): Output {
  // A reader that has seen enough (`| head`) closes the pipe; that is no error of ours.
  process.stdout.on("error", (error) => {
    if (!("code" in error) || error.code !== "EPIPE") throw error;
  });
  // Kept, because what is explored may print, too.
  const write = process.stdout.write.bind(process.stdout);
  const color = process.stdout.isTTY === true && (process.env.NO_COLOR ?? "") === "";
  return {
    style: { color, command },
    lines: (lines) => write(`${lines.join("\n")}\n`),
    json: (value) => write(`${JSON.stringify(value, null, 2)}\n`),
    warn: (line) => process.stderr.write(`microloom: ${safe(line)}\n`),
  };
}

/** Names and messages come from anywhere; of all they could do to a terminal, only the lines of a stack are let through. */
function safe(text: string): string {
  return text.replace(invisible, (character) => (character === "\n" ? character : escaped(character)));
}
