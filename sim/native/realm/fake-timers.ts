/**
 * Explorations refuse to run while somebody else's clock is installed. Loaded then, this package would have taken fake
 * timers for the real ones; called then, the fake clock and the virtual one would both claim the code under test. Another
 * function in place of setTimeout is no fake clock: test environments for the browser have their own.
 */
import timers from "node:timers";
import timersPromises from "node:timers/promises";
import { ScenarioError } from "../../scenario.ts";
import type { Verb } from "../../words.ts";

/** Timers or Date belong to a fake clock. */
export class FakeTimersError extends ScenarioError {
  override readonly name: string = "FakeTimersError";
}

type Fake = { readonly what: string; readonly fix: string };

const restore = {
  sinon: "vi.useRealTimers(), jest.useRealTimers() or clock.uninstall()",
  jest: "jest.useRealTimers()",
  node: "mock.timers.reset()",
  date: "vi.useRealTimers(), mock.timers.reset() or whatever gives Date back",
} as const;

const timerNames = ["setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate"];
const names = [...timerNames, "Date", "queueMicrotask", "nextTick", "hrtime", "now"];
const atLoad = installedFake();

/** Throws FakeTimersError when timers or Date are fake now, or were when this package was loaded. */
export function refuseFakeTimers(scenario: string, verb: Verb = "explore"): void {
  if (atLoad !== null) {
    throw new FakeTimersError(
      `Cannot ${verb} "${scenario}": microloom was loaded while ${atLoad.what}; call ${atLoad.fix} before it is imported`,
    );
  }
  const fake = installedFake();
  if (fake !== null) {
    throw new FakeTimersError(`Cannot ${verb} "${scenario}" while ${fake.what}: call ${fake.fix} before`);
  }
}

function installedFake(): Fake | null {
  const owners: readonly object[] = [globalThis, timers, timersPromises, process, performance];
  const functions = owners.flatMap((owner) =>
    names.map((name): { readonly name: string; readonly value: unknown } => ({
      name,
      value: Reflect.get(owner, name),
    })),
  );
  const faked = functions.find(({ value }) => hasClock(value));
  if (faked !== undefined) return { what: `${faked.name} belongs to a fake clock`, fix: restore.sinon };
  const mocked = functions.find(({ value }) => isNodeMock(value));
  if (mocked !== undefined) return { what: `${mocked.name} is mocked by node:test`, fix: restore.node };
  if (timerNames.every((name) => isMockFunction(Reflect.get(globalThis, name)))) {
    return { what: "timers are Jest's legacy fakes", fix: restore.jest };
  }
  return isNative(Date) ? null : { what: "Date is not the platform's own", fix: restore.date };
}

/** Every version of sinon's fake-timers, which Vitest and Jest use, leaves its clock on what it replaces. */
function hasClock(value: unknown): boolean {
  if (typeof value !== "function" || !Object.hasOwn(value, "clock")) return false;
  const clock: unknown = Reflect.get(value, "clock");
  return typeof clock === "object" && clock !== null && "tick" in clock;
}

/** node:test binds private methods of its own, which nobody else can name like that. */
function isNodeMock(value: unknown): boolean {
  return typeof value === "function" && (value.name.startsWith("bound #") || Reflect.get(value, "isMock") === true);
}

/** All at once: a test may well spy on one of them, and the spy calls the real one. */
function isMockFunction(value: unknown): boolean {
  return typeof value === "function" && Reflect.get(value, "_isMockFunction") === true;
}

/** Asked of Function.prototype, because a fake Date has a toString() that says it is native. */
function isNative(value: object): boolean {
  return Reflect.apply(Function.prototype.toString, value, []).includes("[native code]");
}
