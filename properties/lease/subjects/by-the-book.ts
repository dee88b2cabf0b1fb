/**
 * A scheduler that does what the contract says, written from its page. It is here to be held beside the others: what they
 * do wrong, it does right in the same way of writing.
 *
 * Whatever changes something ends with `#pump`, in the same synchronous stretch; so nobody who could run is ever seen
 * waiting. A call is known from the moment in which it asks, and not from the moment in which it was approved. Time is
 * looked at in one place, `#tick`, whoever's timer it was.
 */
import type { Footprint, LeasePolicy } from "../../../core/lease/state.ts";
import type { LeasePorts, LeaseRequest, LeaseSchedulerUnderTest, LeaseSpawn } from "../ports.ts";
import { Children } from "./children.ts";
import { Door } from "./door.ts";
import { keepOffCalls, Line } from "./line.ts";
import { lying, type Meets, meeting, placeOf, placesOf } from "./places.ts";
import { cancelled, ExpiredError, RefusedError } from "./refusal.ts";
import { Ticket } from "./ticket.ts";

type Lease = { readonly holder: string; readonly fence: number };

export class ByTheBook implements LeaseSchedulerUnderTest {
  readonly #ports: LeasePorts;
  readonly #policy: LeasePolicy;
  readonly #meets: Meets;
  readonly #door = new Door();
  readonly #children: Children;
  /** Every call that is not over, in order of request: this is what a child has to keep off. */
  readonly #calls = new Map<string, Ticket>();
  readonly #line: Line;
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
    const onAbort = () => {
      this.#end(ticket, cancelled(ticket.id));
      this.#pump();
    };
    signal.addEventListener("abort", onAbort);
    if (request.needsApproval === true) void this.#approve(ticket);
    else this.#enqueue(ticket);
    try {
      const fence = await ticket.granted;
      // Between the grant and this line somebody may have stopped it, or closed its owner.
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
    for (const ticket of [...this.#calls.values()]) {
      if (ticket.owner === owner) this.#end(ticket, cancelled(ticket.id));
    }
    this.#pump();
    setTimeout(() => this.#tick(), this.#policy.stuckLimitMs);
  }

  canWrite({ holder, fence }: Lease, path: string): boolean {
    const place = placeOf(path);
    const ticket = this.#calls.get(holder);
    const holds = ticket?.stage === "runs" ? ticket : this.#children.find(holder);
    if (place === null || holds?.fence !== fence) return false;
    const places = "places" in holds ? holds.places : placesOf(holds.footprint);
    // Below what it holds, and not above, where others may be.
    return places.some((held) => lying(this.#policy)(place, held));
  }

  async #approve(ticket: Ticket): Promise<void> {
    ticket.expiresIn(this.#policy.waitLimitMs, () => this.#tick());
    let yes = false;
    try {
      yes = (await this.#ports.approve(ticket.id)) === true;
    } catch {
      // Who cannot be asked has not said yes.
    }
    // An answer that comes after the call was stopped or has expired is about nothing.
    if (ticket.stage !== "approving") return;
    if (yes) this.#enqueue(ticket);
    else this.#end(ticket, new RefusedError(ticket.request, "denied"));
    this.#pump();
  }

  #enqueue(ticket: Ticket): void {
    const holder = this.#policy.conflict === "refuse" ? this.#firstInTheWay(ticket) : undefined;
    if (holder !== undefined) {
      const [path = "."] = placesOf(ticket.footprint);
      this.#end(ticket, new RefusedError(ticket.request, "root-busy", { path, holder: holder.id }));
      return;
    }
    ticket.stage = "waiting";
    ticket.expiresIn(this.#policy.waitLimitMs, () => this.#tick());
    this.#line.waiting.push(ticket);
    this.#pump();
  }

  #firstInTheWay({ footprint }: Ticket): Ticket | undefined {
    const runs = ({ stage }: Ticket) => stage === "runs";
    return [...this.#calls.values()].find((other) => runs(other) && this.#line.meet(footprint, other.footprint));
  }

  #pump(): void {
    for (let ticket = this.#next(); ticket !== undefined; ticket = this.#next()) {
      this.#line.starts(ticket);
      ticket.runs(++this.#fence);
    }
  }

  #next(): Ticket | undefined {
    return this.#policy.queue === "arrival" ? this.#line.next() : this.#line.next(this.#isSamePlace);
  }

  /** Under per-path a waiter is behind those of its own path; the workspace is a path as well. */
  readonly #isSamePlace = (one: Footprint, earlier: Footprint): boolean => {
    const lies = lying(this.#policy);
    const others = placesOf(earlier);
    return placesOf(one).some((place) => others.some((other) => lies(place, other) && lies(other, place)));
  };

  #release(ticket: Ticket): void {
    if (!this.#line.stops(ticket)) return;
    ticket.stage = "over";
    this.#calls.delete(ticket.id);
    this.#pump();
  }

  /** Ends a call that does not run yet; one that runs sees its own signal, and releases. */
  #end(ticket: Ticket, reason: Error): void {
    if (!ticket.isOpen) return;
    this.#line.leaves(ticket);
    this.#calls.delete(ticket.id);
    ticket.ends(reason);
  }

  /** First whoever is stuck loses its lease, and only then whoever has waited too long gives up: it may be free to run now. */
  #tick(): void {
    const nowMs = performance.now();
    const isStuck = ({ owner }: { readonly owner: string }) =>
      this.#door.closedAtMs(owner) + this.#policy.stuckLimitMs <= nowMs;
    for (const child of this.#children.all().filter(isStuck)) this.#children.remove(child);
    for (const ticket of this.#line.running.filter(isStuck)) this.#release(ticket);
    for (const ticket of [...this.#calls.values()]) {
      if (ticket.deadlineMs <= nowMs) this.#end(ticket, new ExpiredError(ticket.id, ticket.footprint));
    }
    this.#pump();
  }
}
