/**
 * A scheduler that refuses siblings. What it does differently: it has one exclusive lock on the workspace root for every
 * call that is not read-only, and whatever comes while it is held is refused.
 *
 * It comes from a good reason: a parent that waits for its own child's file may wait for ever, so nobody waits. That is
 * right between parent and child, and wrong between two calls of one message: both end by themselves, the second has
 * only to wait (`sibling-calls-queue`). The first defect of the lease note: of two commands started a millisecond apart,
 * one failed.
 */
import { defaultPolicy, type LeasePolicy } from "../../../core/lease/state.ts";
import type { LeasePorts, LeaseRequest, LeaseSchedulerUnderTest, LeaseSpawn } from "../ports.ts";
import { Children } from "./children.ts";
import { Door } from "./door.ts";
import { keepOffCalls } from "./line.ts";
import { type Meets, meeting } from "./places.ts";
import { cancelled, ExpiredError, RefusedError } from "./refusal.ts";
import { Ticket } from "./ticket.ts";

export class WorkspaceBusyError extends Error {
  override readonly name = "WorkspaceBusyError";
}

export class RefusesSiblings implements LeaseSchedulerUnderTest {
  readonly #ports: LeasePorts;
  readonly #policy: LeasePolicy;
  readonly #meets: Meets;
  readonly #door = new Door();
  readonly #children: Children;
  /** Every call that is not over, in order of request: this is what a child has to keep off. */
  readonly #calls = new Map<string, Ticket>();
  /** The call that has the workspace. */
  #holder: Ticket | null = null;
  #fence = 0;

  constructor(ports: LeasePorts, policy: LeasePolicy = defaultPolicy) {
    this.#ports = ports;
    this.#policy = policy;
    this.#meets = meeting(policy);
    this.#children = new Children(this.#meets);
  }

  async acquire(request: LeaseRequest): Promise<{ release(): void; readonly fence: number }> {
    const ticket = new Ticket(request, this.#door.admit(request, this.#children.has(request.call)));
    this.#children.keepOff(request, ticket);
    this.#calls.set(ticket.id, ticket);
    const { signal } = request;
    const onAbort = () => this.#drop(ticket, cancelled(ticket.id));
    signal.addEventListener("abort", onAbort);
    if (request.needsApproval === true) void this.#ask(ticket);
    else this.#lock(ticket);
    try {
      const fence = await ticket.granted;
      if (signal.aborted || this.#door.isClosed(ticket.owner)) {
        this.#release(ticket);
        throw cancelled(ticket.id);
      }
      return { fence, release: () => this.#release(ticket) };
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  spawn(spawn: LeaseSpawn): { readonly fence: number; finish(): void } {
    const places = this.#door.admitChild(spawn, this.#children.has(spawn.child) || this.#calls.has(spawn.child));
    this.#children.keepApart(spawn, places);
    keepOffCalls(this.#meets, this.#calls.values(), spawn, places);
    const child = { id: spawn.child, owner: spawn.owner, places, fence: ++this.#fence };
    this.#children.add(child);
    return { fence: child.fence, finish: () => this.#children.remove(child) };
  }

  finish(child: string): void {
    this.#children.remove(this.#children.find(child));
  }

  close(owner: string): void {
    if (!this.#door.close(owner)) return;
    const left = [...this.#calls.values()].filter((ticket) => ticket.owner === owner);
    for (const ticket of left) this.#drop(ticket, cancelled(ticket.id));
    setTimeout(() => this.#fenceOff(owner), this.#policy.stuckLimitMs);
  }

  async #ask(ticket: Ticket): Promise<void> {
    const error = new ExpiredError(ticket.id, ticket.footprint);
    ticket.expiresIn(this.#policy.waitLimitMs, () => this.#drop(ticket, error));
    const yes = await this.#ports.approve(ticket.id).catch(() => false);
    if (ticket.stage !== "approving") return;
    if (!yes) return this.#drop(ticket, new RefusedError(ticket.request, "denied"));
    this.#lock(ticket);
  }

  #lock(ticket: Ticket): void {
    const writes = ticket.footprint.kind !== "none";
    if (writes && this.#holder !== null) {
      this.#drop(ticket, new WorkspaceBusyError(`the workspace is locked by ${this.#holder.id}`));
      return;
    }
    if (writes) this.#holder = ticket;
    ticket.runs(++this.#fence);
  }

  #drop(ticket: Ticket, reason: Error): void {
    if (!ticket.isOpen) return;
    this.#calls.delete(ticket.id);
    ticket.ends(reason);
  }

  #release(ticket: Ticket): void {
    if (this.#calls.get(ticket.id) === ticket) this.#calls.delete(ticket.id);
    if (this.#holder === ticket) this.#holder = null;
  }

  #fenceOff(owner: string): void {
    for (const child of this.#children.all()) if (child.owner === owner) this.#children.remove(child);
    for (const ticket of [...this.#calls.values()]) if (ticket.owner === owner) this.#release(ticket);
  }
}
