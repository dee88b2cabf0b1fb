/**
 * A scheduler that does not pump when a waiter leaves. What it does differently: only a release lets others go; a waiter
 * that was cancelled or has expired is taken out of the queue, and that is all.
 *
 * It comes from looking at leases only: who waits has nothing, so its end frees nothing. But who waits stands before
 * others: behind a command, which wants everything, stand all that come later, also those that nobody else is in the way
 * of. It breaks where a waiter leaves and another one that waits for it alone is behind it: `no-idle-waiter`, until the next
 * release, or until that one expires, too.
 */
import type { LeasePolicy } from "../../../core/lease/state.ts";
import type { LeasePorts, LeaseRequest, LeaseSchedulerUnderTest, LeaseSpawn } from "../ports.ts";
import { Children } from "./children.ts";
import { Door } from "./door.ts";
import { keepOffCalls, Line } from "./line.ts";
import { type Meets, meeting } from "./places.ts";
import { cancelled, ExpiredError, RefusedError } from "./refusal.ts";
import { Ticket } from "./ticket.ts";

export class DoesNotPumpOnCancel implements LeaseSchedulerUnderTest {
  readonly #ports: LeasePorts;
  readonly #policy: LeasePolicy;
  readonly #meets: Meets;
  readonly #door = new Door();
  readonly #children: Children;
  readonly #line: Line;
  /** Every call that is not over, in order of request: this is what a child has to keep off. */
  readonly #calls = new Map<string, Ticket>();
  #fence = 0;

  constructor(ports: LeasePorts, policy: LeasePolicy) {
    this.#ports = ports;
    this.#policy = policy;
    this.#meets = meeting(policy);
    this.#children = new Children(this.#meets);
    this.#line = new Line(this.#meets);
  }

  async acquire(request: LeaseRequest): Promise<{ release(): void; readonly fence: number }> {
    const ticket = new Ticket(request, this.#door.admit(request, this.#children.has(request.call)));
    this.#children.keepOff(request, ticket);
    this.#calls.set(ticket.id, ticket);
    const { signal } = request;
    const onAbort = () => this.#drop(ticket, cancelled(ticket.id));
    signal.addEventListener("abort", onAbort);
    if (request.needsApproval === true) void this.#ask(ticket);
    else this.#enqueue(ticket);
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
    this.#expires(ticket);
    const yes = await this.#ports.approve(ticket.id).catch(() => false);
    if (ticket.stage !== "approving") return;
    if (!yes) return this.#drop(ticket, new RefusedError(ticket.request, "denied"));
    this.#enqueue(ticket);
  }

  #enqueue(ticket: Ticket): void {
    ticket.stage = "waiting";
    this.#expires(ticket);
    this.#line.waiting.push(ticket);
    this.#pump();
  }

  #expires(ticket: Ticket): void {
    const error = new ExpiredError(ticket.id, ticket.footprint);
    ticket.expiresIn(this.#policy.waitLimitMs, () => this.#drop(ticket, error));
  }

  #pump(): void {
    for (let ticket = this.#line.next(); ticket !== undefined; ticket = this.#line.next()) {
      this.#line.starts(ticket);
      ticket.runs(++this.#fence);
    }
  }

  #drop(ticket: Ticket, reason: Error): void {
    if (!ticket.isOpen) return;
    this.#calls.delete(ticket.id);
    this.#line.leaves(ticket);
    ticket.ends(reason);
  }

  #release(ticket: Ticket): void {
    if (!this.#line.stops(ticket)) return;
    this.#calls.delete(ticket.id);
    this.#pump();
  }

  #fenceOff(owner: string): void {
    for (const child of this.#children.all()) if (child.owner === owner) this.#children.remove(child);
    for (const ticket of this.#line.running) if (ticket.owner === owner) this.#release(ticket);
  }
}
