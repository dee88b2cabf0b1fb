import { equalBothWays } from "./testing/equal.ts";

const told = "const told = (r) => log(r.done, r.value), failed = (e) => log('failed', e);";

equalBothWays("lower() keeps what async generators do", {
  "values, promises and rejections": `${told} async function* g(a) { const b = yield a; log("got", b); yield Promise.resolve(2); try { yield Promise.reject(3) } catch (e) { yield e } return Promise.resolve(4) } const i = g(1); i.next("lost").then(told); i.next("b").then(told); i.next().then(told); i.next().then(told); i.next().then(told); i.next().then(told)`,
  "return() and throw()": `${told} async function* g() { try { yield 1; yield 2 } catch (e) { log("caught", e); yield 3 } finally { log("finally"); await 0; yield 4 } } const i = g(); i.next().then(told); i.throw("t").then(told); i.return(Promise.resolve("r")).then(told); i.next().then(told); i.next().then(told); const j = g(); j.return(5).then(told); g().throw(6).catch(failed); const k = g(); k.next().then(told); k.return(Promise.reject("no")).then(told, failed); k.next().then(told)`,
  "bare yields, and returns of every kind": `${told} async function* a() { yield
    yield; return } async function* b() { return } async function* c() { return (await 1) } async function* d() { return ( // why
      Promise.resolve(2) ) } async function* e() { return Promise.reject(3) } for (const g of [a, b, c, d, e]) { const i = g(); i.next().then(told, failed); i.next().then(told, failed) }`,
  "yield in expressions": `${told} async function* g() { const x = (yield 1) + (yield 2); log(x, [yield 3, yield 4].join(), \`\${yield 5}\`); if (yield 6) yield* [7]; yield yield await 8; yield
    log("end") } const i = g(); for (let n = 0; n < 12; n++) i.next(n).then(told)`,
  "yield* of async and sync iterables": `${told} async function* h() { try { const x = yield 1; log("h got", x); yield 2; return "h" } finally { log("h finally") } } async function* g() { log("result", yield* h()); yield * [3, Promise.resolve(4)]; yield*/* c */ "ab" } const i = g(); for (let n = 0; n < 9; n++) i.next(n).then(told); const j = g(); j.next().then(told); j.return(9).then(told); const k = g(); k.next().then(told); k.throw("t").catch(failed); (async function* () { yield* { [Symbol.asyncIterator]() { return { next(v) { log("next", v); return { value: v, done: v === 2 } }, return(v) { log("return", v); return { value: v, done: true } } } } } })().next(2).then(told)`,
  "lines without semicolons": `${told} async function* g() { const a = 1
    yield a
    yield* [a]
    await a
    yield } const i = g(); for (let n = 0; n < 4; n++) i.next().then(told)`,
  "generators of every kind": `${told} const o = { async *a(x) { yield this === o && x }, async * "b"() { yield 2 }, async *[Symbol.asyncIterator]() { yield 3 } }; class A { #y = 5; async *m() { yield this.#y } static async *s() { yield 6 } async *#p() { yield* this.m() } p() { return this.#p() } *plain() { yield async () => this.#y } } const e = async function* () { yield 7 }, n = async function* h(x) { if (x) yield* h(x - 1); yield x }; for (const i of [o.a(1), o.b(), o[Symbol.asyncIterator](), new A().m(), A.s(), new A().p(), e(), n(1)]) i.next().then(told); new A().plain().next().value().then(log)`,
  "parameters that throw, throw": `${told} const bad = () => { throw "bad" }; async function* g(a = bad()) {} try { g() } catch (e) { log("threw", e) } async function* h({ a }, ...b) { yield a + b.length + arguments.length } h({ a: 1 }, 2, 3).next().then(told); class A { async *m(a, b = super.toString.name, ...c) { yield a + b + c } } new A().m(1).next().then(told)`,
  "what its objects are": `async function* g() { yield 1 } const i = g(); log(Object.prototype.toString.call(i), i[Symbol.asyncIterator]() === i, typeof i.next, i instanceof g); g.prototype.more = 7; log(i.more, g.length, g.name); let h = async function* () {}; log(Object.prototype.toString.call(h())); (async () => { for await (const x of g()) log(x) })()`,
  "a generator whose name was given away": `async function* g() { yield 1 } const f = g; g = null; f().next().then((r) => log(r.value))`,
  "queued requests": `${told} async function* g() { await 0; yield 1; await 0; yield 2 } const i = g(); Promise.all([i.next(), i.next(), i.return("r"), i.next()]).then((all) => all.forEach(told))`,
  "words of the function around": `${told} async function* g() { yield arguments.length; yield this.x; yield (() => arguments[0])(); yield new.target } const i = g.call({ x: 5 }, 1, 2); for (let n = 0; n < 5; n++) i.next().then(told)`,
});
