/**
 * Gives programs times for their timers whose order every Node keeps on every machine that is not late by a whole unit:
 * two timers are due at one time only when they were armed at one time with one duration, and such are fired in order
 * of arming. Time is counted in units; it moves when a timer fires.
 */
export type Appointment = {
  readonly ms: number;
  readonly units: number;
  /** When it is due, and due again. */
  dues: readonly number[];
  /** Another timer that is armed at the same time for the same duration may be due with it. */
  readonly shared: boolean;
};

const timersMost = 8;

export class Appointments {
  /** Real time passes until the last of them, and often. */
  #left = timersMost;
  readonly #unitMs: number;
  readonly #pending = new Set<Appointment>();
  #now = 0;
  /** Some timer has fired. */
  #begun = false;

  constructor(unitMs: number) {
    this.#unitMs = unitMs;
  }

  get pending(): number {
    return this.#pending.size;
  }

  get begun(): boolean {
    return this.#begun;
  }

  /** A time `units` from now, or the next one that is free. */
  readonly after = (units: number): Appointment => {
    while (this.#taken(this.#now + units, units)) units++;
    return this.#make(units, [this.#now + units], true);
  };

  /** Times for an interval that fires `times` times. */
  readonly every = (units: number, times: number): Appointment => {
    for (; ; units++) {
      const dues = Array.from({ length: times }, (_, index) => this.#now + units * (index + 1));
      if (!dues.some((due) => this.#taken(due, null))) return this.#make(units, dues, false);
    }
  };

  /** Its timer fires now. */
  readonly due = (appointment: Appointment): void => {
    this.#begun = true;
    this.#now = appointment.dues[0] ?? this.#now;
    appointment.dues = appointment.dues.slice(1);
    if (appointment.dues.length === 0) this.#pending.delete(appointment);
  };

  /** Asks to begin its duration again; false where another timer has that time. */
  readonly again = (appointment: Appointment): boolean => {
    if (!this.#pending.delete(appointment)) return false;
    const due = this.#now + appointment.units;
    const free = !this.#taken(due, appointment.units);
    if (free) appointment.dues = [due];
    this.#pending.add(appointment);
    return free;
  };

  readonly forget = (appointment: Appointment): void => {
    this.#pending.delete(appointment);
  };

  /** One more timer may be armed. */
  readonly mayWait = (): boolean => this.#left-- > 0;

  /** A check phase comes before the next timer for sure. */
  readonly mayCheck = (): boolean => {
    if (!this.#begun) return true;
    for (const { dues } of this.#pending) if ((dues[0] ?? 0) <= this.#now) return false;
    return true;
  };

  #make(units: number, dues: readonly number[], shared: boolean): Appointment {
    const made = { ms: units * this.#unitMs, units, dues, shared };
    this.#pending.add(made);
    return made;
  }

  /** Somebody else is due then, other than one that is armed now for the same duration. */
  #taken(due: number, units: number | null): boolean {
    for (const other of this.#pending) {
      if (!other.dues.includes(due)) continue;
      if (!other.shared || other.units !== units || due - units !== this.#now) return true;
    }
    return false;
  }
}
