/** Runs what may throw. */
export function attempt(act: () => void, failed: (error: unknown) => void): void {
  try {
    act();
  } catch (error) {
    failed(error);
  }
}

/**
 * Calls a port and waits for it; an answer that cannot be taken is a failure like any other. An answer costs one
 * microtask: every further one would be a gap in which the world may change.
 */
export function ask<T>(call: () => Promise<T>, answered: (value: T) => void, failed: (error: unknown) => void): void {
  attempt(() => Promise.resolve(call()).then((value) => attempt(() => answered(value), failed), failed), failed);
}
