/**
 * Calls a port and waits for it; whatever the port does becomes exactly one of the two answers. An answer costs one
 * microtask: every further one would be a gap in which the world may change.
 */
export function ask<T>(
  call: () => Promise<T>,
  check: (value: T) => void,
  answered: (value: T) => void,
  failed: (error: unknown) => void,
): void {
  let answer: Promise<T>;
  try {
    answer = Promise.resolve(call());
  } catch (error) {
    failed(error);
    return;
  }
  answer.then((value) => {
    try {
      check(value);
    } catch (error) {
      failed(error);
      return;
    }
    answered(value);
  }, failed);
}

/** Accepts any value: for ports whose answer carries nothing. */
export function unchecked(): void {}
