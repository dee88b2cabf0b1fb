/** Runs in Node's thread of module hooks, for a Node that has none in the main thread. */
import { type Loaded, loweredLoad } from "./loaded.ts";
import type { Turn } from "./outermost.ts";

let turn = 0;
let latest: Turn["latest"] | null = null;

export function initialize(data: Turn): void {
  ({ turn, latest } = data);
}

type Next = (url: string, context: object) => Promise<Loaded>;

export async function load(url: string, context: object, next: Next): Promise<Loaded> {
  const loaded = await next(url, context);
  // Somebody came later, and we once more after them: theirs is what is to be lowered.
  return turn === latest?.[0] ? loweredLoad(url, loaded) : loaded;
}
