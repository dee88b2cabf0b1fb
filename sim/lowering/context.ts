/** How the words that belong to the function around (`this`, `arguments`, `super`, `new.target`) are written here. */

/** Names of what is handed to a generator beside its parameters, because generators have their own. */
export type HiddenNames = {
  readonly self: string;
  readonly parameters: string;
  readonly newTarget: string;
  readonly superGet: string;
  readonly superReference: string;
  readonly superCall: string;
};

export type Context = {
  /** Whose `await` and `yield` these are. */
  readonly kind: "plain" | "async" | "async generator";
  readonly strict: boolean;
  /** True within the generator that an async function became, arrows in it included. */
  readonly generator: boolean;
  /** True where `arguments` is somebody's. */
  readonly inFunction: boolean;
  /** True where `this` does not exist before `super()` has returned. */
  readonly constructing: boolean;
  readonly self: string;
  readonly parameters: string;
  readonly newTarget: string;
  /** null: as it is. */
  readonly superGet: string | null;
  readonly superReference: string | null;
  readonly superCall: string | null;
};

/** What a function that is no arrow begins with. */
export function ownContext(kind: Context["kind"], strict: boolean): Context {
  return {
    kind,
    strict,
    generator: kind !== "plain",
    inFunction: true,
    constructing: false,
    self: "this",
    parameters: "arguments",
    newTarget: "new.target",
    superGet: null,
    superReference: null,
    superCall: null,
  };
}
