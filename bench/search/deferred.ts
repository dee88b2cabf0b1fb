export type Deferred<T = void> = { readonly promise: Promise<T>; readonly resolve: (value: T) => void };

/** A promise that somebody else resolves. */
export function deferred<T = void>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
