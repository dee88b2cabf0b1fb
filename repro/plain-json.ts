/**
 * What a repro may hold besides its own fields: the steps of a script, which only its scenario understands. Whatever they
 * are, they must be JSON that can be read, passed on and written again.
 */

/** No script nests nearly as deep; what does would end in an overflow somewhere far from here. */
export const deepest = 100;

export type Blemish = { readonly path: readonly (string | number)[]; readonly what: string };

/** Finds the first place at which a value cannot be passed on as JSON; null where it can. */
export function blemishOf(value: unknown): Blemish | null {
  return new Walk().visit(value, []);
}

class Walk {
  readonly #open = new Set<object>();
  readonly #done = new Set<object>();

  visit(value: unknown, path: readonly (string | number)[]): Blemish | null {
    if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol") {
      return { path, what: `expected JSON, found a ${typeof value}` };
    }
    if (typeof value !== "object" || value === null || this.#done.has(value)) return null;
    if (this.#open.has(value)) return { path, what: "expected JSON, found a value that contains itself" };
    if (path.length > deepest)
      return { path: path.slice(0, 3), what: `expected at most ${deepest} levels, found more` };
    this.#open.add(value);
    for (const [key, inner] of Object.entries(value)) {
      if (key === "__proto__") return { path, what: 'expected no key "__proto__"' };
      const found = this.visit(inner, [...path, Array.isArray(value) ? Number(key) : key]);
      if (found !== null) return found;
    }
    this.#open.delete(value);
    this.#done.add(value);
    return null;
  }
}
