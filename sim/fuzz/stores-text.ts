/** Writes what programs do with AsyncLocalStorage. The first alternative is the simplest. */
import { statements } from "./statements.ts";
import { block, deeper, type Place, type Writer } from "./writer.ts";

export function storing(writer: Writer, place: Place, id: number): string {
  const { draws } = writer;
  const body = (most: number): string => statements(writer, deeper(place, "plain"), most);
  switch (draws.below(7)) {
    case 0:
    case 1:
      return `storage.run(${id}, () => ${block(body(3))});`;
    case 2:
      return `storage.exit(() => ${block(body(2))});`;
    case 3:
      // Behind an await it reaches nobody who called.
      return place.in === "async" ? `await null; storage.enterWith(${id});` : `L("g${id}", storage.getStore());`;
    case 4:
      return `{ const s${id} = AsyncLocalStorage.snapshot(); storage.run(${id}, () => queueMicrotask(() => s${id}(() => ${block(`L("s${id}");\n${body(1)}`)}))); }`;
    case 5:
      return `queueMicrotask(AsyncLocalStorage.bind((v) => ${block(`L("b${id}", v);\n${body(1)}`)}));`;
    default:
      return `{ const r${id} = new AsyncResource("r"); storage.run(${id}, () => P(${id}).then(() => r${id}.runInAsyncScope(() => ${block(`L("r${id}");\n${body(1)}`)}))); }`;
  }
}
