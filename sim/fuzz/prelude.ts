/** What every program begins with: text too, because both sides run it as it stands. */
export const prelude = `"use strict";
const { L, io, fuel, mayCheck, mayWait, after, every, due, again, forget, checks, promisify, storage, EventEmitter, once, on, hold } = given;
class Sub extends Promise {}
/** Handled, whatever becomes of it. */
const K = (v) => { if (v instanceof Promise) Promise.prototype.then.call(v, undefined, () => {}); return v; };
const P = (v) => (v instanceof Promise ? v : Promise.resolve(v));
/** A promise whose reactions make plain promises. */
const W = (v) => { const p = Promise.resolve(v); p.constructor = undefined; return p; };
const fail = (e) => { throw e; };
/** An iterator written by hand, with some of its faults. */
const iterator = (n, count, flags) => {
  let at = 0;
  const made = {
    next(v) {
      L("next" + n, v);
      if (flags & 1 && at === 2) throw "in" + n;
      const result = { value: flags & 4 ? Promise.resolve(at) : at, done: at++ >= count };
      return flags & 2 ? Promise.resolve(result) : result;
    },
    [Symbol.asyncIterator]() { L("iterated" + n); return made; },
  };
  if (n % 3 !== 0) made.return = (v) => { L("return" + n, v); return n % 5 === 0 ? 5 : n % 7 === 0 ? Promise.reject("re" + n) : { value: v, done: true }; };
  if (n % 4 === 0) made.throw = (e) => { L("throw" + n, e); return { value: e, done: n % 8 === 0 }; };
  return made;
};
const emitter = new EventEmitter().setMaxListeners(0);
const target = new EventTarget();
const controllers = [new AbortController(), new AbortController()];
const signals = controllers.map(({ signal }) => signal);
// Node holds a signal of AbortSignal.any() weakly; when it is collected must not matter.
hold(signals);
`;
