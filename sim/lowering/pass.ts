/** One lowering under way: the text that is edited, and the names that it may use. */
import type { AnyNode, Program } from "acorn";
import type MagicString from "magic-string";
import type { HiddenNames } from "./context.ts";
import type { LoweringError } from "./error.ts";
import type { Helper } from "./prologue.ts";
import type { Scope } from "./scope.ts";
import type { Targets } from "./targets.ts";

export type Pass = {
  readonly code: string;
  readonly text: MagicString;
  readonly program: Program;
  readonly module: boolean;
  /** What no name in the source begins with. */
  readonly prefix: string;
  readonly hidden: HiddenNames;
  readonly helpers: Set<Helper>;
  /** Looked for when somebody asks first: most programs need none. */
  targets(): Targets;
  /** Names of functions that have none of their own. */
  readonly namesGiven: Map<AnyNode, string>;
  /** The scope of the module itself. */
  readonly top: Scope;
  /** True where a method of `super` is called. */
  applies: boolean;
  /** Numbers what is declared. */
  serial: number;
  /** How many things were lowered: what contains one of them is seen by a difference. */
  lowered: number;
  /** True where functions may be called by others before the first statement of the module has run. */
  readonly calledEarly: boolean;
  fail(at: number, found: string, todo: string): LoweringError;
};

/** The name of a helper, which the prologue then declares. */
export function helper(pass: Pass, name: Helper): string {
  pass.helpers.add(name);
  pass.lowered++;
  return pass.prefix + name;
}

/** A name that nobody else has. */
export function fresh(pass: Pass, what: string): string {
  return `${pass.prefix}${what}${pass.serial++}`;
}

export function hiddenNames(prefix: string): HiddenNames {
  return {
    self: `${prefix}this`,
    parameters: `${prefix}arguments`,
    newTarget: `${prefix}newTarget`,
    superGet: `${prefix}superGet`,
    superReference: `${prefix}super`,
    superCall: `${prefix}superCall`,
  };
}

/** A prefix that the source does not contain. */
export function freePrefix(code: string): string {
  let prefix = "$loom_";
  for (let number = 1; code.includes(prefix); number++) prefix = `$loom${number}_`;
  return prefix;
}

export function textOf(pass: Pass, node: AnyNode): string {
  return pass.code.slice(node.start, node.end);
}

/** True for a function that others may call before the module has run. */
export function isTop(pass: Pass, node: AnyNode, scope: Scope | null): boolean {
  return pass.calledEarly && node.type === "FunctionDeclaration" && scope === pass.top;
}
