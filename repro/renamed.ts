/** A repro with other delivery names in it: what one replay takes for granted, or what a reader has said for good. */
import { formatName, parseName } from "../sim/names.ts";
import { quoted } from "./quoted.ts";
import { type Repro, ReproError } from "./repro.ts";

/** All names that decide how a repro runs: of its orderings and faults, each once. */
export function namesIn({ orderings, faults }: Pick<Repro, "orderings" | "faults">): string[] {
  return [...new Set([...orderings.flatMap(({ first, then }) => [first, then]), ...faults.map(({ at }) => at)])];
}

/** The same repro with every delivery name put through `rename`. Its choices stay as they were recorded. */
export function renamed(repro: Repro, rename: (name: string) => string): Repro {
  const { orderings, faults, criticalPair } = repro;
  return {
    ...repro,
    orderings: orderings.map(({ first, then }) => ({ first: rename(first), then: rename(then) })),
    faults: faults.map((fault) => ({ ...fault, at: rename(fault.at) })),
    criticalPair: criticalPair === null ? null : [rename(criticalPair[0]), rename(criticalPair[1])],
  };
}

/** A delivery without its number: `agent:model`. */
export function familyOf(name: string): string {
  return name.replace(/#\d+$/, "");
}

/**
 * Applies what the reader says about names, each as `old=new`: two deliveries (`agent:model#2=agent:model#3`), or a source
 * and label with all their numbers (`agent:model=agent:llm`). All at once, so that two may change places. Throws ReproError.
 */
export function applyRenames(repro: Repro, asked: readonly string[]): Repro {
  const exact = new Map<string, string>();
  const families = new Map<string, string>();
  const named = namesIn(repro);
  for (const each of asked) {
    const { old, fresh } = split(each, named);
    const known = parseName(old) === null ? families : exact;
    if (known.has(old)) throw refusal(each, `expected one new name for ${quoted(old)}, found two; leave one out`);
    known.set(old, fresh);
  }
  return renamed(repro, (name) => {
    const family = families.get(familyOf(name));
    return exact.get(name) ?? (family === undefined ? name : `${family}${name.slice(familyOf(name).length)}`);
  });
}

/** A label may hold "=", so the old name is the one that the repro has. */
function split(asked: string, named: readonly string[]): { readonly old: string; readonly fresh: string } {
  const known = new Set([...named, ...named.map(familyOf)]);
  for (let at = asked.indexOf("="); at >= 0; at = asked.indexOf("=", at + 1)) {
    const old = asked.slice(0, at);
    if (!known.has(old)) continue;
    const fresh = asked.slice(at + 1);
    const delivery = parseName(old) !== null;
    if (delivery ? parseName(fresh) !== null : isFamily(fresh)) return { old, fresh };
    const like = delivery ? "a delivery name like user:stop#1" : "a source and label like user:stop";
    throw refusal(asked, `expected ${like} after the "=", found ${quoted(fresh)}`);
  }
  if (!asked.includes("=")) throw refusal(asked, "expected old=new");
  throw refusal(
    asked,
    `the file names ${named.map((name) => quoted(name)).join(", ") || "no delivery"}; name one of these`,
  );
}

function isFamily(text: string): boolean {
  const parsed = parseName(`${text}#1`);
  return parsed !== null && formatName(parsed) === `${text}#1`;
}

function refusal(asked: string, why: string): ReproError {
  return new ReproError(`Cannot rename ${quoted(asked)}: ${why}`);
}
