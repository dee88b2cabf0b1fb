/** Node's own Promise, also while the realm has put another one in its place. */
export const NativePromise = Promise;
export const nativeThen = Promise.prototype.then;
