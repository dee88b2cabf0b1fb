import { equalBothWays } from "./testing/equal.ts";

equalBothWays("lower() keeps what async functions do", {
  "a declaration, used before it stands": `f(1, 2).then(log); async function f(a, b) { log("in"); return (await a) + b }`,
  "a declaration in a block, used before it stands": `{ f().then(log); async function f() { await 0; return "block" } }`,
  "a declaration in a block stays in it": `
    async function f() { return "outer" }
    function ask(x) { if (x) { async function f() { return "inner" } f().then(log) } return f() }
    ask(true).then(log)`,
  "a declaration in a block of strict code": `"use strict"; { f().then(log); async function f() { return 1 } } log(typeof f)`,
  "a declaration in a block that begins with a directive-like string": `{ "use nothing"\nasync function f() { log("f") } f() }`,
  "an expression, with and without a name": `
    const f = async function () { await 0; return f.name }; const g = async function h(n) { return n > 0 ? h(n - 1) : h.name };
    f().then(log); g(2).then(log)`,
  "the name of an expression cannot be assigned to": `const f = async function g() { g = 1; return typeof g }; f().then(log)`,
  "the name of a strict expression cannot be assigned to": `"use strict"; const f = async function g() { g = 1 }; f().catch((e) => log(e.name))`,
  "a variable named like the function, inside": `async function f() { var f = 1; return f } f().then(log)`,
  "arrows of every shape": `
    const a = async () => 1, b = async x => x, c = async (x, y) => { await 0; return x + y }, d = async({ x }) => ({ x }), e = async (...[x]) => x;
    const f = async(x = 1,) => x;
    for (const one of [a(), b(2), c(1, 2), d({ x: 4 }).then((o) => o.x), e(5), f()]) one.then(log)`,
  "arrows in arrows": `(async (a) => async (b) => async c => [a, b, await c].join())(1).then((f) => f(2)).then((f) => f(3)).then(log)`,
  "plain arrows around async ones": `const f = (a) => (b) => async () => a + b; Promise.all([f(1)(2)(), f(3)(4)()]).then(log)`,
  "arrows in a loop keep their own variables": `
    const all = []; for (let i = 0; i < 3; i++) all.push(async () => { await 0; return i });
    for (const j of [4, 5]) { const k = j; all.push(async () => j + k) }
    for (const j in { a: 1, b: 1 }) all.push(async () => j)
    let n = 0; while (n < 2) all.push(((m) => async () => m)(n++)); do all.push(async () => n); while (n++ < 3)
    Promise.all(all.map((f) => f())).then(log)`,
  "an arrow in the head of a loop": `
    const all = []; for (let i = 0, f = async () => i; i < 3; i++, all.push(f, async () => i)); Promise.all(all.map((f) => f())).then(log)`,
  "an arrow in a case": `function f(x) { switch (x) { case 1: let y = "one"; return async () => y; default: return async () => x } } f(1)().then(log); f(2)().then(log)`,
  "an arrow called many times over": `const f = async (x) => { await x; return x * 2 }; Promise.all([1, 2, 3].map(f)).then(log)`,
  "an arrow that starts a line": `let a = 1\nasync () => log("never")\nlog(a)`,
  "methods of every kind": `
    const s = Symbol("s"); const o = { async a() { return this === o }, async "b c"() { return 2 }, async [s](x) { return x }, async 5() { return 5 }, async get() { return "get" }, async async() { return "async" }, get x() { return async () => this === o }, async *g() { yield 1 } };
    for (const p of [o.a(), o["b c"](), o[s](3), o[5](), o.get(), o.async(), o.x(), o.g().next().then((r) => r.value)]) p.then(log)`,
  "methods of a class": `
    class A { #x = 1; static #n = 9; async m() { return this.#x } async #p(y) { return this.#x + y } p() { return this.#p(5) } static async s() { return A.#n } static async #q() { return this === A } static q() { return A.#q() }
      get g() { return (async () => this.#x)() } set g(v) { (async () => { this.#x = v; log("set " + (#x in this)) })() } static async [Symbol.iterator]() { return "it" } async "q r"() { return "qr" } static async *[Symbol.asyncIterator]() { yield "ai" } }
    const a = new A(); for (const p of [a.m(), a.p(), A.s(), A.q(), a.g, A[Symbol.iterator](), a["q r"](), A[Symbol.asyncIterator]().next().then((r) => r.value)]) p.then(log); a.g = 7; a.m().then(log)`,
  "private in": `class A { #x; async has(o) { await 0; return #x in o } static async all(...o) { return o.map((one) => #x in one) } } new A().has(new A()).then(log); A.all(new A(), {}).then(log)`,
  "members without semicolons": `
    class A { a = 1
      async b() { return "b" }
      c
      async *d() { yield "d" }
      e = [1]
      async [0]() { return "0" }
      static
      async f() { return "f" }
      static h = 1
      static async [1]() { return "one" } }
    const x = new A(); x.b().then(log); x.d().next().then((r) => log(r.value)); x[0]().then(log); A.f().then(log); log(x.e.length, A.h); A[1]().then(log)`,
  "a method called async, and variables called so": `
    const async = (x) => { log("called " + x); return async }; async (1); async
    (2); class A { async() { return 1 } static async = 2; async
    b() { return 3 } } log(new A().async?.name, A.async, new A().b()); (async () => log("ran"))()`,
  "fields with arrows": `class A { x = 1; f = async () => this.x; g = async (y) => { await y; return () => this.x + y }; static h = async () => this.name } const a = new A(), b = new A(); b.x = 2; a.f().then(log); b.f().then(log); b.g(1).then((f) => log(f())); A.h().then(log)`,
  "static blocks": `class A { static x; static { const y = 1; this.x = async () => { await 0; return this.name + y }; async function f() { return "f" } f().then(log) } } A.x().then(log)`,
  "name and length": `
    async function a(x, y) {} const b = async (x) => {}, c = async (x, y = 1, z) => {}, o = { async d(...r) {}, e: async ({ x }, [y]) => {} }; class A { async f(x) {} static g = async () => {}; async #h() {} static n() { return new A().#h.name } }
    let h; h = async () => {}; const { i = async () => {} } = {};
    for (const f of [a, b, c, o.d, o.e, new A().f, A.g, h, i, async function () {}]) log(f.name, f.length); log(A.n())`,
  "a function in a default": `function f(a, b = async () => a) { var a = 5; return b() } f(1).then(log); f(2).then(log); const g = (a, b = async () => { await 0; return a }) => b(); g(3).then(log)`,
  "parameters that throw reject": `
    const bad = () => { throw "bad" }; async function f(a = bad()) { log("never") } const g = async ({ a }) => a, h = async ([a]) => a; class A { async m(a = bad()) {} }
    for (const p of [f(), g(), h(1), new A().m()]) p.catch((e) => log(e.name ?? e))`,
  "parameters of every kind": `
    async function f(a, { b, ...c }, [d = a, ...e], g = () => a, ...h) { a = 9; await 0; return JSON.stringify([a, b, c, d, e, g(), h, arguments.length]) } f(1, { b: 2, x: 3 }, [undefined, 4, 5]).then(log); f(1, { b: 2 }, [6], () => 7, 8, 9).then(log);
    const k = async (a, b = a, ...c) => [a, b, c.length].join(); k().then(log); k(1, undefined, 3, 4).then(log)`,
  "two parameters of one name": `async function f(a, a) { return a + arguments.length } f(1, 2, 3).then(log)`,
  "a default that sees the variables outside": `var x = "out"; async function f(a = x) { var x = "in"; return a + x } f().then(log)`,
  "strict by its own directive": `async function f() { "use strict"; return this === undefined } f().then(log); const g = async () => { "use strict"; return (function () { return this === undefined })() }; g().then(log); async function h() { 'use strict'\nreturn typeof this } h.call(1).then(log)`,
  "sloppy this": `async function f() { return typeof this } f.call(1).then(log); f().then(log); async function g() { return this === globalThis } g().then(log)`,
  "returns of every kind": `
    (async () => {})().then(log); (async () => Promise.resolve(1))().then(log); (async () => { return await Promise.resolve(2) })().then(log); (async () => ({ then(r) { r(3) } }))().then(log); (async () => { throw "four" })().catch(log);
    (async () => { try { return Promise.resolve(5) } finally { await 0; log("finally") } })().then(log); (async () => { try { return await Promise.reject(6) } catch (e) { return "caught " + e } })().then(log)`,
  "where only the kind is asked for": `const F = (async () => {}).constructor, G = Object.getPrototypeOf(async function* () {}).constructor; log(F.name, G.name, Object.getPrototypeOf(async function () {}).constructor === F); (async () => log("ran"))()`,
});
