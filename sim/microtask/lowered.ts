/**
 * What lowered code calls. An async function becomes a generator that yields what it awaits; whoever drives the
 * generator decides when it goes on. The texts that `sim/lowering` writes, and nothing else, call these:
 *
 *     async function f(a) { B }         function f(a) { return $async(($g ??= function* f(a) { B' })(a), "f") }
 *     ... with parameters that may throw       return $asyncWith($g ??= function* f(a = b()) { B' }, this, arguments, "f")
 *     async function* g(a) { B }        function g(a) { return $asyncGenerator(($g ??= function* g(a) { B' })(a), g.prototype, "g") }
 *     await X                           (yield $a(X))
 *     yield X      (async generator)    (yield $y(X))             the driver awaits X itself, once; no $a inside
 *     yield        (async generator)    (yield $y(undefined))
 *     yield* X     (async generator)    (yield* $ys(X))
 *     return X     (async generator)    return (yield $a(X))      without X: as it is
 *     import(X)                         ($importing(), import(X))
 *     class C extends X                 class C extends $heir(X)  where X may be Promise
 *     for await (L of R) B              { const $f = $forAwait(R);
 *                                         try { labels: while ($f.more(yield $f.next())) { L = $f.value; B } }
 *                                         catch ($e) { if ($f.open) yield* $f.failed(); throw $e }
 *                                         finally { if ($f.open) yield* $f.left() } }
 *
 * `continue`, `break`, `return`, labels and destructuring that throws do in that `while` what they do in a `for await`.
 */

/** The body of an async function or an async generator: a generator that yields what it awaits. */
export type Body = Generator<unknown, unknown, unknown>;
export type BodyFunction = (...parameters: never[]) => Body;

export type Lowered = {
  /** Starts an async function. `name`: the function's own, or "". */
  readonly async: (body: Body, name: string) => object;
  /** Starts an async function whose parameters can throw; that rejects its promise. */
  readonly asyncWith: (make: BodyFunction, self: unknown, parameters: ArrayLike<unknown>, name: string) => object;
  /** Makes an async generator. `prototype`: of the function that was called; undefined where it has none (methods). */
  readonly asyncGenerator: (body: Body, prototype: unknown, name: string) => object;
  /** Makes an async generator whose parameters can throw; that throws, as natively. */
  readonly asyncGeneratorWith: (
    make: BodyFunction,
    self: unknown,
    parameters: ArrayLike<unknown>,
    prototype: unknown,
    name: string,
  ) => object;
  /** Marks what is awaited: gives it back. */
  readonly a: (value: unknown) => unknown;
  /** Marks what an async generator yields. */
  readonly y: (value: unknown) => unknown;
  /** Yields everything that another iterable has. */
  readonly ys: (iterable: unknown) => Generator<unknown, unknown, unknown>;
  /** Begins a `for await`. */
  readonly forAwait: (iterable: unknown) => ForAwait;
  /** Wraps what a class extends: Promise becomes one whose instances are ours inside an execution. */
  readonly heir: (heritage: unknown) => unknown;
  /** Tells that a dynamic import is about to run. */
  readonly importing: () => void;
};

/** One `for await` under way. */
export type ForAwait = {
  /** Asks the iterator for its next result, which is to be awaited (`yield $f.next()`, without `$a`). */
  next(): unknown;
  /** Takes the awaited result; false when the iterator is done. */
  more(result: unknown): boolean;
  /** The value of the result that was taken. */
  readonly value: unknown;
  /** True while the body runs: who leaves it now has to close the iterator. */
  readonly open: boolean;
  /** Closes the iterator after the body threw: what closing throws is lost. */
  failed(): Generator<unknown, void, unknown>;
  /** Closes the iterator after `break`, `return` or a jump to an outer label. */
  left(): Generator<unknown, void, unknown>;
};

/** What the prologue of a lowered file finds at `globalThis[Symbol.for("microloom.lowered")]`. */
export type LoweredEntry = {
  /** Notes that the file is lowered, and gives what it calls. */
  at(file: string): Lowered;
  isLowered(file: string): boolean;
};
