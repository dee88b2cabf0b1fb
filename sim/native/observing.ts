/**
 * Who looks on while things of the simulator's own are used: an engine, during an execution that is told in full. Two
 * deliveries that use one signal, event target, clock or random stream depend on each other, whatever was declared.
 */
export type Observer = {
  /** A thing was made, and gets a name that depends on who made it. */
  made(thing: object): void;
  /** The thing was looked at, or (`writes`) changed. */
  touched(thing: object, writes: boolean): void;
};

/** One mutable binding for all classes: asking it costs a load where nobody looks. */
export const observing: { by: Observer | null } = { by: null };
