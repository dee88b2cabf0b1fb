/**
 * What every program is given beside its surroundings: text too, because every side runs it like the program itself.
 * The body of a function that returns the tools.
 */
const given =
  "L, io, fuel, mayCheck, mayWait, after, every, due, again, forget, checks, promisify, storage, AsyncLocalStorage, AsyncResource, EventEmitter, once, on, hold";
const made =
  "Sub, Told, Other, Refusing, Base, kept, K, P, W, fail, refusing, patched, unawaitable, cycle, later, syncIterator, iterator, emitter, target, controllers, signals";

/** The names of all of them. */
export const tools = `${given}, ${made}`;

export const prelude = `"use strict";
const { ${given} } = given;
class Sub extends Promise {}
class Told extends Promise {
  constructor(e) { super(e); L("made"); }
  then(a, b) { L("then"); return super.then(a, b); }
}
class Other extends Promise { static get [Symbol.species]() { L("species"); return Sub; } }
class Refusing extends Promise { static resolve(v) { if (v === 3) throw "refused"; return super.resolve(v); } }
class Base { run(v) { return v; } static say(v) { return v; } }
const kept = {};
/** Handled, whatever becomes of it. */
const K = (v) => { if (v instanceof Promise) Promise.prototype.then.call(v, undefined, () => {}); return v; };
const P = (v) => (v instanceof Promise ? v : Promise.resolve(v));
/** A promise whose reactions make plain promises. */
const W = (v) => { const p = Promise.resolve(v); p.constructor = undefined; return p; };
const fail = (e) => { throw e; };
const refusing = (e) => ({ [Symbol.iterator]() { throw e; } });
/** A promise with something of its own, that then() still works on. */
const patched = (n, kind) => {
  const p = Promise.resolve(n);
  if (kind === 0) p.then = (a, b) => { L("own" + n); return Promise.prototype.then.call(p, a, b); };
  else if (kind === 1) p.constructor = Sub;
  else Object.defineProperty(p, "then", { get() { L("get" + n); return Promise.prototype.then; } });
  return p;
};
const unawaitable = (n) => Object.defineProperty(Promise.resolve(n), "constructor", { get() { throw "c" + n; } });
/** A promise that is to become itself. */
const cycle = (kind) => {
  let settle;
  const p = kind === 0 ? new Promise((a) => { settle = a; }) : Promise.resolve().then(() => p);
  settle?.(p);
  return p;
};
/** A promise that is settled with v some ticks from now; its functions may come with it, in newer engines. */
const later = (n, ticks, v) => {
  if (typeof Promise.withResolvers === "function") {
    const made = Promise.withResolvers();
    void (async () => { for (let at = 0; at < ticks; at++) await at; made.resolve(v); })();
    return made.promise;
  }
  return new Promise((a) => { void (async () => { for (let at = 0; at < ticks; at++) await at; a(v); })(); });
};
/** A sync iterator written by hand, for whoever takes one for async. */
const syncIterator = (n, count, flags) => {
  let at = 0;
  const made = {
    next(v) {
      L("next" + n, v);
      if (flags & 1 && at === 2) throw "in" + n;
      const value = flags & 2 && at === 1 ? K(Promise.reject("iv" + n)) : flags & 32 && at === 1 ? unawaitable(n) : flags & 4 ? Promise.resolve(at) : at;
      return { value, done: at++ >= count };
    },
    [Symbol.iterator]() { L("iterated" + n); return made; },
  };
  if ((flags & 8) === 0) made.return = (v) => { L("return" + n, v); if (flags & 16) throw "re" + n; return n % 5 === 0 ? 5 : { value: v, done: true }; };
  if (n % 4 === 0) made.throw = (e) => { L("throw" + n, e); return { value: e, done: n % 8 === 0 }; };
  if (n % 11 === 0) Object.defineProperty(made, n % 2 === 0 ? "return" : "throw", { get() { L("read" + n); throw "g" + n; } });
  return made;
};
/** An iterator written by hand, with some of its faults. */
const iterator = (n, count, flags) => {
  let at = 0;
  const made = {
    next(v) {
      L("next" + n, v);
      if (flags & 1 && at === 2) throw "in" + n;
      const value = flags & 4 ? Promise.resolve(at) : at;
      const done = at++ >= count;
      const result = {
        get value() { if (flags & 8) L("value" + n); return value; },
        get done() { if (flags & 16) L("done" + n); return done; },
      };
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
return { ${tools} };
`;
