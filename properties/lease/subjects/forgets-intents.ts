/**
 * A scheduler that forgets what its parent writes. What it does differently: the leases of root calls and the claims of
 * children are two tables, and `spawn` looks into its own only.
 *
 * It comes from a repair of `refuses-siblings`. Root calls got a queue of their own, so that siblings wait for each other; the
 * claims stayed as they were, and from then on nobody told `spawn` of a write of the parent. It breaks between the request
 * of a write and its release: a child that is spawned there claims the file (`parent-child-exclusive`), and where the write
 * was still waiting, it is granted beside the child (`single-writer`).
 */
import type { LeasePolicy } from "../../../core/lease/state.ts";
import type { LeasePorts, LeaseRequest, LeaseSchedulerUnderTest, LeaseSpawn } from "../ports.ts";
import { Children } from "./children.ts";
import { Door } from "./door.ts";
import { Line } from "./line.ts";
import { meeting } from "./places.ts";
import { cancelled, ExpiredError, RefusedError } from "./refusal.ts";
import { Ticket } from "./ticket.ts";

export class ForgetsIntents implements LeaseSchedulerUnderTest {
  readonly #ports: LeasePorts;
  readonly #policy: LeasePolicy;
  readonly #door = new Door();
  /** What children have claimed. */
  readonly #children: Children;
  /** What root calls have, or wait for. */
  readonly #line: Line;
  #asking: Ticket[] = [];
  #fence = 0;

  constructor(ports: LeasePorts, policy: LeasePolicy) {
    this.#ports = ports;
    this.#policy = policy;
    this.#children = new Children(meeting(policy));
    this.#line = new Line(meeting(policy));
  }

  async acquire(request: LeaseRequest): Promise<{ release(): void; readonly fence: number }> {
    const ticket = new Ticket(request, this.#door.admit(request, this.#children.has(request.call)));
    this.#children.keepOff(request, ticket);
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
    const places = this.#door.admitChild(spawn, this.#children.has(spawn.child));
    this.#children.keepApart(spawn, places);
    // A root call that writes one of the places is in the other table.
    const child = { id: spawn.child, owner: spawn.owner, places, fence: ++this.#fence };
    this.#children.add(child);
    return { fence: child.fence, finish: () => this.#children.remove(child) };
  }

  finish(child: string): void {
    this.#children.remove(this.#children.find(child));
  }

  close(owner: string): void {
    if (!this.#door.close(owner)) return;
    const left = [...this.#asking, ...this.#line.waiting].filter((ticket) => ticket.owner === owner);
    for (const ticket of left) this.#drop(ticket, cancelled(ticket.id));
    setTimeout(() => this.#fenceOff(owner), this.#policy.stuckLimitMs);
  }

  async #ask(ticket: Ticket): Promise<void> {
    this.#asking.push(ticket);
    this.#expires(ticket);
    const yes = await this.#ports.approve(ticket.id).catch(() => false);
    if (ticket.stage !== "approving") return;
    if (!yes) return this.#drop(ticket, new RefusedError(ticket.request, "denied"));
    this.#asking = this.#asking.filter((other) => other !== ticket);
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
    this.#asking = this.#asking.filter((other) => other !== ticket);
    this.#line.leaves(ticket);
    ticket.ends(reason);
    this.#pump();
  }

  #release(ticket: Ticket): void {
    if (this.#line.stops(ticket)) this.#pump();
  }

  #fenceOff(owner: string): void {
    for (const child of this.#children.all()) if (child.owner === owner) this.#children.remove(child);
    for (const ticket of this.#line.running) if (ticket.owner === owner) this.#release(ticket);
  }
}
