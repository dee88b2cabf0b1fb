/**
 * Lowers a file: what is async in it becomes generators, so that whoever drives those decides about every job. See
 * `sim/microtask/lowered.ts` for what is written. Lines do not move, and everything that was written stays.
 */
import type { EncodedSourceMap } from "@jridgewell/remapping";
import type { ModuleDeclaration, Program, Statement } from "acorn";
import MagicString from "magic-string";
import { ownContext } from "./context.ts";
import { LoweringError } from "./error.ts";
import { inlineMap } from "./inline-map.ts";
import { hasUsing, mayBeNewer, withoutNewerSyntax } from "./newer-syntax.ts";
import { type InputMap, Origin } from "./origin.ts";
import { parseSource, type SourceType, syntaxError } from "./parse.ts";
import { freePrefix, hiddenNames, type Pass } from "./pass.ts";
import { isLoweredText, prologue } from "./prologue.ts";
import { afterDirectives, Scope } from "./scope.ts";
import { visitBody } from "./statements.ts";
import { saysUseStrict } from "./syntax.ts";
import { type Targets, targetsOf } from "./targets.ts";

export type LoweringOptions = {
  /** Path or URL: what the file is called when it runs. */
  readonly file: string;
  /** A script is CommonJS: it may return. */
  readonly sourceType: SourceType;
  /** A source map of the text; one that the text brings along inline is used anyway. */
  readonly inputMap?: InputMap | null;
};

/** `map` leads to the original, through the input map; null where the code was returned as it came. */
export type LoweredText = { readonly code: string; readonly map: EncodedSourceMap | null };

/** What a text without any of these words has nothing to lower for; who mentions us is to be known as lowered. */
const concerned =
  /\basync\b|\bawait\b|\bimport\s*(?:\/\*|\/\/|\()|\bextends\b[^{]*Promise\b|\b(?:scenario|race|microloom)\b/;

export function lower(code: string, options: LoweringOptions): LoweredText {
  if (!concerned.test(code) || isLoweredText(code)) return { code, map: null };
  const inline = inlineMap(code);
  const origin = new Origin(options.file, options.inputMap ?? inline?.map ?? null);
  // The map that the text brought along is part of the new one, and would be wrong for the new text.
  if (inline !== null)
    code = code.slice(0, inline.start) + " ".repeat(inline.end - inline.start) + code.slice(inline.end);
  return lowerParsed(understood(code, options, origin), options);
}

type Understood = { readonly code: string; readonly program: Program; readonly origin: Origin };

/** Parses the text, or what esbuild makes of it where it is too new. */
function understood(code: string, { file, sourceType }: LoweringOptions, origin: Origin): Understood {
  let program: Program;
  try {
    program = parseSource(code, sourceType);
    if (!hasUsing(code, program)) return { code, program, origin };
  } catch (error) {
    if (!mayBeNewer(code)) throw syntaxError(code, error, origin);
  }
  return older(code, file, sourceType, origin);
}

function older(code: string, file: string, sourceType: SourceType, origin: Origin): Understood {
  let made: ReturnType<typeof withoutNewerSyntax>;
  try {
    made = withoutNewerSyntax(code, file);
  } catch (error) {
    throw syntaxError(code, error, origin);
  }
  const after = origin.after(made.map);
  try {
    return { code: made.code, program: parseSource(made.code, sourceType), origin: after };
  } catch (error) {
    throw syntaxError(made.code, error, after);
  }
}

function lowerParsed({ code, program, origin }: Understood, { file, sourceType }: LoweringOptions): LoweredText {
  const prefix = freePrefix(code);
  const module = sourceType === "module";
  let targets: Targets | null = null;
  const pass: Pass = {
    code,
    text: new MagicString(code),
    program,
    module,
    prefix,
    hidden: hiddenNames(prefix),
    helpers: new Set(),
    targets: () => (targets ??= targetsOf(program)),
    namesGiven: new Map(),
    top: new Scope("var"),
    applies: false,
    serial: 0,
    lowered: 0,
    calledEarly: module && program.body.some(leadsElsewhere),
    fail: (at, found, todo) => new LoweringError(origin.placeOf(code, at), found, todo),
  };
  const start = code.startsWith("#!") ? lineAfter(code) : 0;
  const strict = module || saysUseStrict(program);
  visitBody(pass, program, start, { ...ownContext("plain", strict), inFunction: !module }, pass.top);
  const { at, guard } = afterDirectives(code, program, start);
  pass.text.prependLeft(at, guard + prologue(pass, file));
  const made = pass.text.generateMap({ source: file, hires: "boundary", includeContent: true });
  return { code: pass.text.toString(), map: origin.mapOf(made) };
}

/** Only where a module leads to others can they lead back to it. */
function leadsElsewhere(node: ModuleDeclaration | Statement): boolean {
  if (node.type === "ImportDeclaration" || node.type === "ExportAllDeclaration") return true;
  return node.type === "ExportNamedDeclaration" && node.source !== null && node.source !== undefined;
}

/** Behind `#!/usr/bin/env node`. */
function lineAfter(code: string): number {
  const end = code.indexOf("\n");
  return end < 0 ? code.length : end + 1;
}
