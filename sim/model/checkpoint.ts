/**
 * An exploration as bytes, to go on in another process. In order: the magic word, the length of the header, the header (JSON),
 * the states with their parents in the order of finding, and a checksum of all of it. Whoever resumes must have the same
 * model: its name, bounds and schema stand in the header and are compared.
 */
import { constants } from "node:buffer";
import { crc32 } from "node:zlib";
import { Explorer, type Position } from "./explorer.ts";
import type { Model } from "./model.ts";
import type { PackedReducer } from "./packed.ts";
import { full } from "./state-table.ts";

/** The bytes are no checkpoint, are damaged, or belong to another model. */
export class CheckpointError extends Error {
  override readonly name = "CheckpointError";
}

type Identity = {
  readonly model: string;
  readonly bounds: Readonly<Record<string, number>>;
  readonly goals: readonly string[];
  /** A hash of the schema as data. */
  readonly schema: number;
  readonly words: number;
};
type Header = { readonly identity: Identity; readonly position: Position; readonly states: number };

const magic = "microloom model checkpoint 1\n";
const lengthBytes = 4;
const checksumBytes = 4;
const wordBytes = Int32Array.BYTES_PER_ELEMENT;

/** The same exploration gives the same bytes. Not after a violation, where nothing is left to do. */
export function checkpoint<State, Input, Effect>(explorer: Explorer<State, Input, Effect>): Uint8Array {
  const { explored, position } = explorer;
  if (position === null) {
    throw new CheckpointError(`Cannot make a checkpoint of "${explored.model.name}": it ended with a violation`);
  }
  const { table } = explored;
  const header: Header = { identity: identityOf(explorer), position, states: table.states };
  const json = Buffer.from(JSON.stringify(header));
  const start = magic.length + lengthBytes + json.length;
  const size = start + table.states * table.stride * wordBytes + checksumBytes;
  if (size > constants.MAX_LENGTH) {
    throw new CheckpointError(
      `Cannot make a checkpoint of "${explored.model.name}": it takes ${size} bytes, and one buffer holds ${constants.MAX_LENGTH}`,
    );
  }
  const bytes = Buffer.alloc(size);
  bytes.write(magic, "latin1");
  bytes.writeUInt32LE(json.length, magic.length);
  json.copy(bytes, magic.length + lengthBytes);
  let at = start;
  for (let state = 0; state < table.states; state++) {
    const chunk = table.chunk(state);
    const offset = table.offset(state);
    for (let word = 0; word < table.stride; word++) at = bytes.writeInt32LE(chunk[offset + word] ?? 0, at);
  }
  bytes.writeUInt32LE(crc32(bytes.subarray(0, at)), at);
  return bytes;
}

/** An explorer that stands where the one of the checkpoint stood. Throws CheckpointError. */
export function resume<State, Input, Effect>(
  model: Model<State, Input, Effect>,
  bytes: Uint8Array,
  packed: PackedReducer | null = null,
): Explorer<State, Input, Effect> {
  const refuse = (why: string) => new CheckpointError(`Cannot resume "${model.name}": ${why}`);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const least = magic.length + lengthBytes + checksumBytes;
  if (buffer.length < least || buffer.toString("latin1", 0, magic.length) !== magic) {
    throw refuse(`expected ${JSON.stringify(magic.trimEnd())} at the start; is it a checkpoint of this version?`);
  }
  const end = buffer.length - checksumBytes;
  const expected = buffer.readUInt32LE(end);
  const found = crc32(buffer.subarray(0, end));
  if (found !== expected) throw refuse(`expected the checksum ${expected}, found ${found}; the bytes are damaged`);
  const headerEnd = magic.length + lengthBytes + buffer.readUInt32LE(magic.length);
  // The checksum has held, so what is read here is what checkpoint() has written.
  const header: Header = JSON.parse(buffer.toString("utf8", magic.length + lengthBytes, headerEnd));

  const explorer = new Explorer(model, packed);
  const other = difference(identityOf(explorer), header.identity);
  if (other !== null) throw refuse(`it belongs to another model; ${other}`);
  const { table } = explorer.explored;
  const state = new Int32Array(table.stride);
  let at = headerEnd;
  for (let number = 0; number < header.states; number++) {
    for (let word = 0; word < table.stride; word++, at += wordBytes) state[word] = buffer.readInt32LE(at);
    const added = table.add(state, 0, state[table.words] ?? 0);
    if (added === full) throw refuse(`no room for state ${number}`);
    // The initial state is there already, and is the only one that may be.
    if (added !== (number === 0 ? -1 : number)) throw refuse(`expected another initial state`);
  }
  explorer.moveTo(header.position);
  return explorer;
}

function identityOf<State, Input, Effect>({ explored }: Explorer<State, Input, Effect>): Identity {
  const { model, codec } = explored;
  return {
    model: model.name,
    bounds: model.bounds,
    goals: model.goals.map(({ name }) => name),
    schema: crc32(Buffer.from(JSON.stringify(model.schema.shape))),
    words: codec.words,
  };
}

function difference(ours: Identity, theirs: Identity): string | null {
  for (const key of ["model", "bounds", "goals", "schema", "words"] as const) {
    const [one, other] = [JSON.stringify(ours[key]), JSON.stringify(theirs[key])];
    if (one !== other) return `expected ${key} ${one}, found ${other}`;
  }
  return null;
}
