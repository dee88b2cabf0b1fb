/**
 * A promise as a named value: why it matters and, when it is broken, what was seen. Names are public: reports, repro
 * files and tests use them.
 */
export type Invariant<History> = {
  readonly name: string;
  readonly why: string;
  /** Says what was seen, or returns undefined where the promise holds. Reads the history and changes nothing. */
  violation(history: History): string | undefined;
};

/** A state that a campaign has to reach, or its pass means nothing. */
export type Goal<History> = {
  readonly name: string;
  reached(history: History): boolean;
};
