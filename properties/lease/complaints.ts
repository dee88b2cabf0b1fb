/** What is wrong with the answers of a scheduler, apart from what the contract promises. */
import { describeReason } from "../../sim/native/reasons.ts";
import { describeValue } from "../../sim/words.ts";
import { isThenable } from "../kit/thenable.ts";

export type Complaints = {
  readonly badShapes: string[];
  readonly threw: string[];
  /** Promises that are open, by what they answer. */
  readonly open: Set<string>;
};

type Grant = { release(): void; readonly fence?: number };

/** A lease as its holder has it, whatever the scheduler has resolved with. */
export function grantOf(grant: unknown, call: string, complaints: Complaints): Grant {
  const [release, fence] = [fieldOf(grant, "release"), fieldOf(grant, "fence")];
  if (typeof release !== "function") {
    const found = typeof grant === "object" && grant !== null ? `release as ${describeValue(release)}` : null;
    complaints.badShapes.push(
      `expected acquire() to resolve with { release() }, found ${found ?? describeValue(grant)}`,
    );
    return { release: () => undefined };
  }
  const releases = () => mustTake(`release ${call}`, () => release.call(grant), complaints);
  if (typeof fence === "number") return { release: releases, fence };
  if (fence !== undefined && fence !== null)
    complaints.badShapes.push(`expected the fence of a grant to be a number or missing, found ${describeValue(fence)}`);
  return { release: releases };
}

/** Whoever gives such a command has nothing to do with its error. */
export function mustTake(what: string, give: () => unknown, { threw, open }: Complaints): void {
  const failed = (error: unknown) => {
    open.delete(what);
    threw.push(`${what} was answered with an error: ${describeReason(error)}`);
  };
  try {
    const answer = give();
    if (!isThenable(answer)) return;
    open.add(what);
    answer.then(() => open.delete(what), failed);
  } catch (error) {
    failed(error);
  }
}

/** What cannot be read is not there. */
export function fieldOf(value: unknown, key: string): unknown {
  try {
    return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  } catch {
    return undefined;
  }
}

export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error;
  } catch {
    return false;
  }
}
