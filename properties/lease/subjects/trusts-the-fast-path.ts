/**
 * A scheduler that trusts its fast path. What it does differently: who finds the way free runs at once, without another
 * look at its signal; only who had to wait looks again.
 *
 * It comes from a right observation: between the check of the lock and the grant nothing is awaited. But before the check
 * something was: the user's answer. It breaks where a yes and a stop come in one go, in that order: the yes is what the call hears,
 * and then it runs (`no-grant-to-the-dead`).
 */
import type { LeasePolicy } from "../../../core/lease/state.ts";
import type { LeasePorts, LeaseRequest, LeaseSchedulerUnderTest, LeaseSpawn } from "../ports.ts";
import { Children } from "./children.ts";
import { Door } from "./door.ts";
import { keepOffCalls, Line } from "./line.ts";
import { type Meets, meeting } from "./places.ts";
import { cancelled, ExpiredError, RefusedError } from "./refusal.ts";
import { Ticket } from "./ticket.ts";

export class TrustsTheFastPath implements LeaseSchedulerUnderTest {
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
    try {
      if (request.needsApproval === true) await this.#approval(ticket);
      // The fast path: nobody is in the way, so there is no wait in which anything could happen.
      if (this.#line.isFree(ticket.footprint)) this.#grant(ticket);
      else await this.#turn(ticket);
      return { fence: ticket.fence, release: () => this.#release(ticket) };
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

  /** Rejects when the answer is no, and when the call is over before there is one. */
  async #approval(ticket: Ticket): Promise<void> {
    this.#expires(ticket);
    let yes = false;
    try {
      yes = (await Promise.race([this.#ports.approve(ticket.id), ticket.granted])) === true;
    } catch {
      // Nobody has said yes.
    }
    if (yes) return;
    this.#drop(ticket, new RefusedError(ticket.request, "denied"));
    await ticket.granted;
  }

  async #turn(ticket: Ticket): Promise<void> {
    if (ticket.isOpen) this.#enqueue(ticket);
    await ticket.granted;
    if (!ticket.request.signal.aborted && !this.#door.isClosed(ticket.owner)) return;
    this.#release(ticket);
    throw cancelled(ticket.id);
  }

  #grant(ticket: Ticket): void {
    this.#line.starts(ticket);
    ticket.runs(++this.#fence);
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
    for (let ticket = this.#line.next(); ticket !== undefined; ticket = this.#line.next()) this.#grant(ticket);
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
