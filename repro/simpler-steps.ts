/**
 * Simpler forms of one step of a script, as plain JSON: a step that is wrapped in it, with one key less, with one item of
 * a list less. What a key means is not known here; the scenario's schema says which of them are still steps.
 */
export function simplerSteps(step: unknown): readonly unknown[] {
  if (Array.isArray(step)) {
    return [
      ...step.map((_, at) => step.toSpliced(at, 1)),
      ...step.flatMap((item, at) => simplerSteps(item).map((simpler) => step.with(at, simpler))),
    ];
  }
  if (typeof step !== "object" || step === null) return [];
  const entries = Object.entries(step);
  return [
    ...entries.flatMap(([, value]) => (isTyped(value) ? [value] : [])),
    ...entries.map((_, at) => Object.fromEntries(entries.toSpliced(at, 1))),
    ...entries.flatMap(([key, value], at) =>
      simplerSteps(value).map((simpler) => Object.fromEntries(entries.with(at, [key, simpler]))),
    ),
  ];
}

/** Steps are told apart by their `type`, in every schema. */
function isTyped(value: unknown): boolean {
  return typeof value === "object" && value !== null && "type" in value;
}
