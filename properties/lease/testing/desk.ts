/**
 * An application at the lease scheduler of the core: it asks, runs, releases, spawns, and writes down what becomes of
 * each call. What must hold is judged by these notes, not by the scheduler's own state, but for what is left at the end.
 */
import { LeaseRefusedError, LeaseTimeoutError } from "../../../core/lease/errors.ts";
import { createLeaseScheduler } from "../../../core/lease/host.ts";
import type { AcquireOptions, Claim, Grant, LeaseScheduler } from "../../../core/lease/scheduler.ts";
import type { Footprint, LeasePolicy } from "../../../core/lease/state.ts";
import type { World } from "../../../sim/scenario.ts";

export const workspace = { kind: "workspace" } as const;
export const file = (path: string): Footprint => ({ kind: "file", path });

export type Answer = "yes" | "no" | "throws" | "rejects" | "never";

export type DeskOptions = {
  readonly policy?: Partial<LeasePolicy>;
  /** What the user says to a call that needs it. */
  readonly answer?: (call: string) => Answer;
  /** Runs inside the approval port, before it answers. */
  readonly whileAsked?: (call: string) => void;
  readonly wrap?: (scheduler: LeaseScheduler) => LeaseScheduler;
};

/** One call of the application. */
export class Call {
  outcome: "open" | "runs" | "released" | "denied" | "aborted" | "expired" | "refused" = "open";
  /** How often it came to an outcome. */
  outcomes = 0;
  endedMs: number | null = null;
  ranMs: number | null = null;
  grant: Grant | null = null;
  error: unknown = null;
  /** It was aborted, or its owner closed, before the scheduler had granted it. */
  died = false;
  readonly controller = new AbortController();
  readonly name: string;
  readonly owner: string;
  readonly footprint: Footprint;
  readonly askedMs: number;

  constructor(name: string, owner: string, footprint: Footprint, askedMs: number) {
    this.name = name;
    this.owner = owner;
    this.footprint = footprint;
    this.askedMs = askedMs;
  }
}

export class Desk {
  readonly calls: Call[] = [];
  readonly claims = new Map<string, Claim & { readonly paths: readonly string[] }>();
  readonly scheduler: LeaseScheduler;
  readonly #world: World;
  readonly #fences: number[] = [];
  readonly #closed = new Set<string>();

  constructor(world: World, { policy = {}, answer = () => "yes", whileAsked, wrap = (one) => one }: DeskOptions = {}) {
    this.#world = world;
    const approve = (call: string): Promise<boolean> => {
      whileAsked?.(call);
      const said = answer(call);
      if (said === "throws") throw new Error("no window");
      if (said === "never") return new Promise(() => {});
      return world.io("user:approve", () => {
        if (said === "rejects") throw new Error("the window was closed");
        return said === "yes";
      });
    };
    this.scheduler = wrap(createLeaseScheduler({ approve }, policy));
    world.always("lease/single-writer", () => this.#collision() ?? true);
    world.always("lease/no-grant-to-the-dead", () => this.#ghost() ?? true);
    world.always("who dies while it waits is told at once", () => {
      const open = this.calls.find(({ died, outcome }) => died && outcome === "open");
      return open === undefined || `${open.name} waits on`;
    });
    world.always("lease/fence-grows", () => this.#fences.every((fence, at) => fence > (this.#fences[at - 1] ?? 0)));
    world.always("lease/no-idle-waiter", () => this.#idleWaiter() ?? true);
    world.atQuiescence("lease/one-outcome", () => {
      const odd = this.calls.find(({ outcome, outcomes }) => outcome === "open" || outcomes !== 1);
      return odd === undefined || `${odd.name} is ${odd.outcome} after ${odd.outcomes} outcomes`;
    });
    world.atQuiescence("nothing is left", () => {
      const { calls, children, queue } = this.scheduler.state;
      const left = [...calls.keys(), ...children.keys(), ...queue];
      return left.length === 0 || `${left.join(", ")} is left`;
    });
  }

  /** Asks, and resolves when the call runs or will not. Never rejects: that a call does not run is an answer. */
  async ask(name: string, footprint: Footprint, more: Partial<AcquireOptions> = {}): Promise<Call> {
    const call = new Call(name, more.owner ?? "run", footprint, this.#world.nowMs);
    this.calls.push(call);
    const end = (outcome: Call["outcome"]) => {
      call.outcome = outcome;
      call.outcomes += 1;
      call.endedMs = this.#world.nowMs;
    };
    try {
      const { signal } = call.controller;
      call.grant = await this.scheduler.acquire({ call: name, owner: call.owner, footprint, signal, ...more });
      this.#fences.push(call.grant.fence);
      call.ranMs = this.#world.nowMs;
      end("runs");
    } catch (error) {
      call.error = error;
      if (error instanceof LeaseTimeoutError) end("expired");
      else if (error instanceof LeaseRefusedError) end(error.reason === "denied" ? "denied" : "refused");
      else if (error instanceof Error && error.name === "AbortError") end("aborted");
      else throw error;
    }
    return call;
  }

  /** Asks, works for as long as an I/O takes, and releases. */
  async run(name: string, footprint: Footprint, more: Partial<AcquireOptions> = {}): Promise<Call> {
    const call = await this.ask(name, footprint, more);
    if (call.outcome !== "runs") return call;
    await this.#world.io("work", () => undefined);
    this.release(call);
    return call;
  }

  release(call: Call): void {
    if (call.outcome !== "runs") return;
    call.outcome = "released";
    call.grant?.release();
  }

  abort(name: string): void {
    const call = this.find(name);
    if (call === undefined) return;
    if (call.outcome === "open" && this.stageOf(name) !== "granted") call.died = true;
    call.controller.abort(new Error("stop"));
  }

  close(owner: string): void {
    for (const call of this.calls) {
      if (call.owner === owner && call.outcome === "open" && this.stageOf(call.name) !== "granted") call.died = true;
    }
    this.#closed.add(owner);
    this.scheduler.close(owner);
  }

  /** Says whether the child was claimed. */
  spawn(child: string, paths: readonly string[], owner = "run"): string {
    try {
      this.claims.set(child, { ...this.scheduler.spawn({ child, owner, paths }), paths });
      return "claimed";
    } catch (error) {
      if (error instanceof LeaseRefusedError) return `${error.reason} ${error.path} ${error.holder}`;
      throw error;
    }
  }

  finish(child: string): void {
    this.claims.get(child)?.finish();
    this.claims.delete(child);
  }

  find(name: string): Call | undefined {
    return this.calls.find((call) => call.name === name);
  }

  stageOf(name: string): string {
    return this.scheduler.state.calls.get(name)?.stage ?? "gone";
  }

  /** Who runs; only the stuck call of a closed owner is fenced off. */
  get #running(): readonly Call[] {
    const isFenced = ({ name, owner }: Call) => this.#closed.has(owner) && this.stageOf(name) === "gone";
    return this.calls.filter((call) => call.outcome === "runs" && !isFenced(call));
  }

  #collision(): string | undefined {
    const running = this.#running;
    for (const [at, one] of running.entries()) {
      const other = running.slice(at + 1).find(({ footprint }) => collide(one.footprint, footprint));
      if (other !== undefined) return `${one.name} and ${other.name} run on the same files`;
      for (const [child, { paths }] of this.claims) {
        // A command may run while a child works: the stated exception.
        if (one.footprint.kind !== "file" || !this.scheduler.state.children.has(child)) continue;
        if (paths.some((path) => collide(one.footprint, file(path))))
          return `${one.name} runs on the files of ${child}`;
      }
    }
    return undefined;
  }

  #ghost(): string | undefined {
    const ghost = this.calls.find(({ died, grant }) => died && grant !== null);
    return ghost && `${ghost.name} died before it was granted, and runs`;
  }

  /** Under arrival: whoever waits overlaps somebody who is granted, or waits before it. */
  #idleWaiter(): string | undefined {
    const { calls, queue } = this.scheduler.state;
    const ahead = [...calls.values()].filter(({ stage }) => stage === "granted").map(({ footprint }) => footprint);
    for (const id of queue) {
      const footprint = calls.get(id)?.footprint;
      if (footprint === undefined) return `${id} waits and is unknown`;
      if (!ahead.some((other) => collide(footprint, other))) return `${id} waits for nobody`;
      ahead.push(footprint);
    }
    return undefined;
  }
}

/** Spelled out instead of asking the core: a fault there must not blind its own check. Paths here are normalised. */
function collide(one: Footprint, other: Footprint): boolean {
  if (one.kind === "none" || other.kind === "none") return false;
  if (one.kind === "workspace" || other.kind === "workspace") return true;
  return one.path === other.path || one.path.startsWith(`${other.path}/`) || other.path.startsWith(`${one.path}/`);
}
