/**
 * Who owns the code that runs, and what its AsyncLocalStorages hold. A job takes the frame of the code that registered
 * it (at `await`, at `then()`), and runs in it.
 */
export type Frame = { readonly owner: unknown; readonly stores: unknown };

let frame: Frame | null = null;

export function currentFrame(): Frame | null {
  return frame;
}

/** Makes a frame the current one and gives back the one that was. */
export function enterFrame(next: Frame | null): Frame | null {
  const left = frame;
  frame = next;
  return left;
}
