/** Writes what a `for await` or a `yield*` runs over. The first alternative is the simplest. */
import { expression } from "./expressions.ts";
import { statements } from "./statements.ts";
import { block, deeper, type Place, type Writer } from "./writer.ts";

export function iterable(writer: Writer, place: Place): string {
  const { draws } = writer;
  const id = writer.label();
  const inner = (): string => expression(writer, deeper(place));
  const byHand = (): string => `iterator(${id}, ${draws.below(4)}, ${draws.below(32)})`;
  switch (draws.below(9)) {
    case 0:
      return `[${Array.from({ length: draws.below(4) }, inner).join(", ")}]`;
    case 1:
    case 2:
      return writer.call(place, ["generator"]) ?? byHand();
    case 3:
      return writer.call(place, ["sync generator"]) ?? byHand();
    case 4:
      return byHand();
    case 5:
    case 6:
      return `syncIterator(${id}, ${draws.below(4)}, ${draws.below(64)})`;
    case 7:
      return draws.any([
        `${id}`,
        `{ [Symbol.asyncIterator]: null, *[Symbol.iterator]() { yield ${id}; } }`,
        "null",
        `{ [Symbol.asyncIterator]() { return ${id}; } }`,
      ]);
    default:
      return `(async function* () ${block(statements(writer, deeper(place, "generator"), 3))})()`;
  }
}
