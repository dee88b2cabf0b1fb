/** A module that makes something to be judged: which of its exports is the factory, and what it asks of the check. */
import { basename } from "node:path";
import { agentCheck, agentUnderTest, type MakeAgent } from "../properties/agent/check-agent.ts";
import type { CheckOptions, CheckPlan } from "../properties/kit/check-options.ts";
import type { Family } from "../properties/kit/family.ts";
import type { FixtureState } from "../properties/kit/fixture.ts";
import {
  leaseCheck,
  leaseSchedulerUnderTest,
  type MakeLeaseScheduler,
} from "../properties/lease/check-lease-scheduler.ts";
import type { Scenario } from "../sim/scenario.ts";
import { UsageError } from "./exit-codes.ts";

export type SubjectKind = "agent" | "lease";
export type Subject = {
  readonly options: CheckOptions;
  /** What a check needs of it. */
  readonly check: (plan: CheckPlan, name: string) => readonly [Family, FixtureState];
};

type Asked = Pick<CheckOptions, "policy" | "unmake" | "without"> & { readonly name: string };
type Kind = {
  readonly factory: string;
  /** What the kit makes of whatever the factory is. */
  readonly check: (make: Factory, plan: CheckPlan, name: string) => readonly [Family, FixtureState];
  readonly underTest: (make: Factory, asked: Asked) => Scenario;
};
/** What it returns is looked at by the kit. */
type Factory = MakeAgent & MakeLeaseScheduler;

const kinds: Readonly<Record<SubjectKind, Kind>> = {
  agent: { factory: "createAgent", check: agentCheck, underTest: agentUnderTest },
  lease: { factory: "createLeaseScheduler", check: leaseCheck, underTest: leaseSchedulerUnderTest },
};
const everyKind: readonly SubjectKind[] = ["agent", "lease"];

/** The name of the scenario in which the subject of a file is judged; the repros carry it. */
export function subjectName(kind: SubjectKind, file: string): string {
  return `${kind} in ${basename(file)}`;
}

/** Throws UsageError where the module exports no factory. */
export function subjectOf(kind: SubjectKind, file: string, loaded: object): Subject {
  const make = factoryOf(kind, file, loaded);
  return {
    options: optionsOf(file, exported(loaded, "checkOptions")),
    check: (plan, name) => kinds[kind].check(make, plan, name),
  };
}

/** The kinds of subjects that the module says by name that it makes. */
export function kindsMadeBy(loaded: object): readonly SubjectKind[] {
  return everyKind.filter((kind) => isFactory(exported(loaded, kinds[kind].factory)));
}

/** Tells the name of a scenario in which a module's subject is judged. */
export function isSubjectName(scenario: string): boolean {
  return everyKind.some((kind) => scenario.startsWith(`${kind} in `));
}

/** The scenarios that repros of a check are about, one for each kind of subject that the module may make. */
export function scenariosOfSubjects(
  file: string,
  loaded: object,
): readonly { readonly kind: SubjectKind; readonly scenario: Scenario }[] {
  return everyKind.flatMap((kind) => {
    const { factory, underTest } = kinds[kind];
    const make = exported(loaded, factory) ?? exported(loaded, "default");
    if (!isFactory(make)) return [];
    const { policy, unmake, without } = optionsOf(file, exported(loaded, "checkOptions"));
    const asked = { ...(policy && { policy }), ...(unmake && { unmake }), ...(without && { without }) };
    return [{ kind, scenario: underTest(make, { ...asked, name: subjectName(kind, file) }) }];
  });
}

function factoryOf(kind: SubjectKind, file: string, loaded: object): Factory {
  const name = kinds[kind].factory;
  const make = exported(loaded, name) ?? exported(loaded, "default");
  if (isFactory(make)) return make;
  const found = Object.keys(loaded).join(", ");
  throw new UsageError(
    `Cannot judge ${file}: expected it to export a function ${name}(ports), found ${found === "" ? "no exports" : found}`,
  );
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

function isFactory(value: unknown): value is Factory {
  return typeof value === "function";
}
