/**
 * A scheduler that refuses siblings. What it does differently: it has one exclusive lock on the workspace root for every
 * call that is not read-only, and whatever comes while it is held is refused.
 *
 * It comes from a good reason: a parent that waits for its own child's file may wait for ever, so nobody waits. That is
 * right between parent and child, and wrong between two calls of one message: both end by themselves, the second has
 * only to wait. The first defect of the lease note: of two commands started a millisecond apart, one failed.
 */
import type { LeasePorts, LeaseRequest, LeaseSchedulerUnderTest, LeaseSpawn } from "../ports.ts";

export class WorkspaceBusyError extends Error {
  override readonly name = "WorkspaceBusyError";
}

export class RefusesSiblings implements LeaseSchedulerUnderTest {
  readonly #ports: LeasePorts;
  readonly #children = new Map<string, LeaseSpawn>();
  /** The call that has the workspace. */
  #holder: string | null = null;

  constructor(ports: LeasePorts) {
    this.#ports = ports;
  }

  async acquire({ call, footprint, needsApproval, signal }: LeaseRequest): Promise<{ release(): void }> {
    signal.throwIfAborted();
    if (needsApproval === true && !(await this.#ports.approve(call)))
      throw new WorkspaceBusyError(`${call} was denied`);
    signal.throwIfAborted();
    if (footprint.kind === "none") return { release: () => undefined };
    if (this.#holder !== null) throw new WorkspaceBusyError(`the workspace is locked by ${this.#holder}`);
    this.#holder = call;
    return {
      release: () => {
        if (this.#holder === call) this.#holder = null;
      },
    };
  }

  spawn(child: LeaseSpawn): void {
    if (this.#holder !== null) throw new WorkspaceBusyError(`the workspace is locked by ${this.#holder}`);
    this.#children.set(child.child, child);
  }

  finish(child: string): void {
    this.#children.delete(child);
  }
}
