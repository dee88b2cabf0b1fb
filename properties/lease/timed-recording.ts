/**
 * The history of a scheduler that sets timers of its own. When one of them came cannot be seen; that time has moved can,
 * and whatever moves it to the very moment at which something is due is the scheduler's timer, as long as the application
 * waits until that moment is over. So `woken` is written down where time has moved, before what is seen next.
 */
import type { LeasePolicy } from "../../core/lease/state.ts";
import type { World } from "../../sim/scenario.ts";
import { LeaseRecording, type LeaseSighting } from "./history.ts";
import { takeIn } from "./take-in.ts";
import { LeaseView } from "./view.ts";

export class TimedRecording extends LeaseRecording {
  readonly #world: World;
  readonly #view: LeaseView;
  #toldMs = 0;
  /** The delivery under way is a timer of the application. */
  #isOurs = false;

  constructor(world: World, policy: Partial<LeasePolicy>) {
    super(policy);
    this.#world = world;
    this.#view = new LeaseView(this.policy);
  }

  override saw(sighting: LeaseSighting): void {
    this.#tell();
    this.#add(sighting);
  }

  /** After each delivery. */
  look(): void {
    if (!this.#isOurs || !this.isTied) this.#tell();
    this.#isOurs = false;
  }

  /** For the application's timers: resolves after `ms`, and not in a moment in which the scheduler has something to do. */
  async pass(ms: number): Promise<void> {
    await timer(ms);
    this.#isOurs = true;
    if (this.isTied) await this.pass(1);
  }

  /** Something is due at this very moment, and its timer has not come: which of the two is first could not be told. */
  get isTied(): boolean {
    const { nowMs } = this.#world;
    return this.#toldMs < nowMs && this.#view.nextDueMs() === nowMs;
  }

  #tell(): void {
    const atMs = this.#world.nowMs;
    if (atMs === this.#toldMs) return;
    this.#toldMs = atMs;
    this.#add({ seen: "woken", atMs, overMs: atMs - 1 });
  }

  #add(sighting: LeaseSighting): void {
    takeIn(this.#view, sighting);
    super.saw(sighting);
  }
}

function timer(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
