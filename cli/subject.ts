/** A module that makes something to be judged: which of its exports is the factory, and what it asks of the check. */
import { basename } from "node:path";
import { agentUnderTest, type MakeAgent } from "../properties/agent/check-agent.ts";
import type { CheckOptions } from "../properties/kit/check-options.ts";
import type { Scenario } from "../sim/scenario.ts";
import { UsageError } from "./exit-codes.ts";

export type SubjectKind = "agent";
export type Subject = { readonly kind: SubjectKind; readonly make: MakeAgent; readonly options: CheckOptions };

const factories: Readonly<Record<SubjectKind, string>> = { agent: "createAgent" };

/** The name of the scenario in which the subject of a file is judged; the repros carry it. */
export function subjectName(kind: SubjectKind, file: string): string {
  return `${kind} in ${basename(file)}`;
}

/** Throws UsageError where the module exports no factory. */
export function subjectOf(kind: SubjectKind, file: string, loaded: object): Subject {
  const name = factories[kind];
  const make = exported(loaded, name) ?? exported(loaded, "default");
  if (!isFactory(make)) {
    const found = Object.keys(loaded).join(", ");
    throw new UsageError(
      `Cannot judge ${file}: expected it to export a function ${name}(ports), found ${found === "" ? "no exports" : found}`,
    );
  }
  return { kind, make, options: optionsOf(file, exported(loaded, "checkOptions")) };
}

/** The scenario that repros of a check are about; null where the module makes nothing to be judged. */
export function scenarioOfSubject(file: string, loaded: object): Scenario | null {
  if (!isFactory(exported(loaded, factories.agent))) return null;
  const { make, options } = subjectOf("agent", file, loaded);
  const { policy, unmake, without } = options;
  const asked = { ...(policy && { policy }), ...(unmake && { unmake }), ...(without && { without }) };
  return agentUnderTest(make, { ...asked, name: subjectName("agent", file) });
}

function optionsOf(file: string, found: unknown): CheckOptions {
  if (found === undefined) return {};
  if (typeof found === "object" && found !== null) return found;
  throw new UsageError(`Cannot judge ${file}: expected its checkOptions to be an object of options`);
}

/** A CommonJS module shows its exports under `default`. */
function exported(loaded: object, name: string): unknown {
  const main: unknown = Reflect.get(loaded, "default");
  if (name in loaded) return name === "default" && typeof main !== "function" ? undefined : Reflect.get(loaded, name);
  return typeof main === "object" && main !== null ? Reflect.get(main, name) : undefined;
}

function isFactory(value: unknown): value is MakeAgent {
  return typeof value === "function";
}
