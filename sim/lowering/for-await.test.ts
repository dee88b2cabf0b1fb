import { equalAsWritten, equalBothWays } from "./testing/equal.ts";

const it = `const it = (name, n = 3) => ({ [Symbol.asyncIterator]() { let i = 0; return { next() { log(name, "next"); return Promise.resolve(i < n ? { value: ++i, done: false } : { done: true }) }, return(v) { log(name, "return", v); return Promise.resolve({}) } } } });
  async function* gen(name) { try { yield 1; yield 2; yield 3 } finally { await 0; log(name, "closed") } } const failed = (e) => log("failed", e?.name ?? e);`;

equalBothWays("lower() keeps what for await does", {
  "goes through everything": `${it} (async () => { for await (const x of it("a")) log(x); for await (const x of [1, Promise.resolve(2)]) log(x); for await (let x of gen("g")) { x++; log(x) } log("end") })()`,
  "break, continue, return and throw": `${it} const run = async (how) => { for await (const x of it(how)) { log(x); if (how === "break") break; if (how === "continue") continue; if (how === "return") return "returned"; if (how === "throw") throw "thrown"; await x } return "end" }; (async () => { for (const how of ["break", "continue", "return", "throw", "none"]) await run(how).then(log, failed) })()`,
  "return from within, through others": `${it} const f = async () => { for await (const x of it("a")) for await (const y of gen("b")) for (const z of [1]) return x + y + z }; f().then(log)`,
  "heads of every kind": `${it} (async () => { let x, o = {}, a = []; for await (x of [1]); for await ((x) of [2]) log(x); for await (o.p of [3]) log(o.p); for await (a[x] of [4]) log(a[2]); for await ([x, o.q = 6] of [[5]]) log(x, o.q); for await ({ x, ...o } of [{ x: 7, y: 8 }]) log(x, o.y); for await (var v of ([9])) log(v); for await (const { z = await 10 } of [{}]) log(z); for await (const
      w // comment
      of /* of */ (
        [ await 11 ] ) /* ) */ ) log(w); for await (async of [12]) log(async); for await(const y of[13])log(y); log(v) })(); var async`,
  "each round has variables of its own": `${it} (async () => { const all = []; for await (const x of [1, 2]) all.push(() => x, async () => x); for await (let x of [3, 4]) { let x2 = x; all.push(async () => x2 + x) } for await (var v of [5, 6]) all.push(() => v); log((await Promise.all(all.map((f) => f()))).join()) })()`,
  "what throws": `${it} (async () => { for (const bad of [null, 1, { [Symbol.asyncIterator]: 1 }, { [Symbol.asyncIterator]: () => 1 }, { [Symbol.asyncIterator]: () => ({ next: () => 1 }) }, { [Symbol.asyncIterator]: () => ({ next() { throw "next" }, return() { log("never") } }) }, { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject("rejected"), return() { log("never") } }) }, { [Symbol.asyncIterator]: () => ({ next: () => ({ done: false }), return: () => 1 }) }, { [Symbol.asyncIterator]: () => ({ next: () => ({ done: false }), return: () => { throw "return" } }) }, [Promise.reject("element")]]) try { for await (const x of bad) break } catch (e) { failed(e) } })()`,
  "throwing is closing, and what closing throws is lost": `${it} (async () => { const bad = (r) => ({ [Symbol.asyncIterator]: () => ({ next: () => ({ value: null, done: false }), return: r }) }); for (const r of [() => { throw "lost" }, () => Promise.reject("lost"), () => 1, undefined]) { try { for await (const x of bad(r)) throw "kept" } catch (e) { failed(e) } try { for await (const { x } of bad(r)) log("never") } catch (e) { failed(e) } } })()`,
  "in async generators, left by return()": `${it} async function* g() { for await (const x of gen("inner")) { try { yield x } finally { log("round over") } } } (async () => { for await (const x of g()) { log(x); if (x === 2) break } const i = g(); log((await i.next()).value); log((await i.return("r")).value); const j = g(); await j.next(); await j.throw("t").catch(failed) })()`,
  "names that look like the variable": `${it} (async () => { const o = { x: [[1], [2]], f: (a) => a }; for await (const x of o.x.map(([x]) => o.f(x))) log(x); for await (let x of [{ x: 1 }.x]) log(x); var v = [3]; for await (var v of v) log(v) })()`,
  "without a block around": `${it} (async () => { if (1) for await (const x of [1]) log(x); else for await (const x of [2]) log(x); for (const y of [3]) for await (const x of [y]) log(x)
    const last = 1
    for await (const x of [last]) log("line", x)
    log("end") })()`,
  "finally and catch in a round": `${it} (async () => { for await (const x of it("a")) { try { if (x === 1) continue; throw x } catch (e) { log("caught", e); break } finally { log("finally", x); await 0 } } })()`,
});

equalAsWritten(
  "lower() keeps what for await does: two labels on one loop",
  `${it} (async () => { a: for await (const x of it("a")) { b: /* c */ c:
    for await (const y of gen("b")) { log(x, y); if (x === 1) continue a; if (y === 1) continue b; if (y === 2) continue c; if (x === 2) break a; break b } } out: { for await (const x of it("o")) { for (;;) break out } } d: { e: for await (const x of it("e")) { break d } } f: for (const z of [1, 2]) { for await (const x of it("f")) { continue f } } log("end") })()`,
);
