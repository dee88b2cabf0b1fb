/**
 * The `ml1:` token: the exact choices of one execution, for strict replay, and the bounds within which they were made.
 * Everything is packed bit by bit, followed by a checksum, and written in base64url.
 */
import { chosenSteps, type Execution } from "../sim/execution.ts";
import { BitReader, BitsError, BitWriter } from "./bits.ts";
import { type RecordedStep, readSteps, writeSteps } from "./packed-steps.ts";
import { quoted } from "./quoted.ts";
import { ReproError } from "./repro.ts";

/** What decides, beside the choices, what is possible and what the random streams draw. */
export type RecordedBounds = {
  /** Index of the execution in its campaign; it seeds the streams. */
  readonly index: number;
  readonly overtakes: number;
  readonly stepLimit: number;
};

export type RecordedChoices = {
  readonly bounds: RecordedBounds;
  readonly steps: readonly RecordedStep[];
  readonly data: readonly number[];
};

const prefix = "ml1:";
const checksumBytes = 4;

export function encodeChoices(execution: Execution, bounds: RecordedBounds): string {
  const writer = new BitWriter();
  writer.count(bounds.index);
  writer.count(bounds.overtakes);
  writer.count(bounds.stepLimit);
  writeSteps(
    writer,
    chosenSteps(execution).map((step) => ({ ...step, possible: step.possible.length })),
  );
  writer.count(execution.data.length);
  for (const index of execution.data) writer.count(index);
  const bytes = writer.bytes();
  const sum = new BitWriter();
  sum.bits(checksum(bytes), 8 * checksumBytes);
  return prefix + Buffer.concat([bytes, sum.bytes()]).toString("base64url");
}

/** Reads a token back. Throws ReproError when it is of another version, damaged or cut off. */
export function decodeChoices(token: string): RecordedChoices {
  const reader = new BitReader(contentOf(token));
  try {
    const bounds = { index: reader.count(), overtakes: reader.count(), stepLimit: reader.count() };
    const steps = readSteps(reader);
    const data = Array.from({ length: reader.length() }, () => reader.count());
    if (reader.left >= 8) throw new BitsError("it goes on after its end");
    return { bounds, steps, data };
  } catch (error) {
    if (error instanceof BitsError) throw refusal(error.message, token);
    throw error;
  }
}

function contentOf(token: string): Uint8Array {
  const version = /^ml(\d+):/.exec(token)?.[1];
  if (version === undefined) throw refusal(`it does not begin with ${quoted(prefix)}`, token);
  if (version !== "1") throw refusal(`its version is ${quoted(version)}, and this microloom reads version 1`, token);
  const text = token.slice(prefix.length);
  const bytes = Buffer.from(text, "base64url");
  // Buffer passes over characters that do not belong; writing it back finds them.
  if (bytes.toString("base64url") !== text) throw refusal("it holds characters that do not belong", token);
  if (bytes.length <= checksumBytes) throw refusal("it ends too early", token);
  const content = bytes.subarray(0, -checksumBytes);
  const sum = new BitReader(bytes.subarray(-checksumBytes)).bits(8 * checksumBytes);
  if (sum !== checksum(content)) throw refusal("its checksum is wrong, so a part is missing or changed", token);
  return content;
}

/** FNV-1a, 32 bits. */
function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

function refusal(what: string, token: string): ReproError {
  return new ReproError(`Cannot read the choices ${quoted(token, 40)}: ${what}; record the repro again`);
}
