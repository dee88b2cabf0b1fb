/**
 * A scheduler that grants, then cancels. What it does differently: a cancelled waiter is not taken out of the queue in the
 * handler of its signal, but in a job of its own that the handler leaves behind.
 *
 * It comes from the wish to let the application's own handlers go first: what they do in the same stop, they do to a queue
 * that is still whole. One of them releases: the tool that runs hears the same stop. It breaks between the stop and that
 * job: the release grants the cancelled waiter, and the job finds a call that runs, and leaves it alone
 * (`no-grant-to-the-dead`; where the cancellation is told as well, `one-outcome`).
 */
import type { LeasePolicy } from "../../../core/lease/state.ts";
import type { LeasePorts, LeaseRequest, LeaseSchedulerUnderTest, LeaseSpawn } from "../ports.ts";
import { Children } from "./children.ts";
import { Door } from "./door.ts";
import { keepOffCalls, Line } from "./line.ts";
import { type Meets, meeting } from "./places.ts";
import { cancelled, ExpiredError, RefusedError } from "./refusal.ts";
import { Ticket } from "./ticket.ts";

export class GrantsThenCancels implements LeaseSchedulerUnderTest {
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
    const onAbort = () => queueMicrotask(() => this.#drop(ticket, cancelled(ticket.id)));
    signal.addEventListener("abort", onAbort);
    if (request.needsApproval === true) void this.#ask(ticket);
    else this.#enqueue(ticket);
    try {
      const fence = await ticket.granted;
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
    this.#pump();
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
