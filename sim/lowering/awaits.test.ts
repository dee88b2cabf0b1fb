import { equalBothWays } from "./testing/equal.ts";

const f = "const f = (x) => { log('f' + x); return Promise.resolve(x) };";

equalBothWays("lower() keeps what await does", {
  operators: `${f} (async () => { log(await f(1) + await f(2) * -(await f(3)), !await f(0), typeof await f("s"), void await f(1), (await f(2)) ** 2, await f(1) || await f(9), await f(0) ?? 1, await f(1) && await f(2), (await f(1), await f(2))) })()`,
  calls: `${f} (async () => { const o = { m(...a) { return a.join("-") } }; log(o.m(await f(1), ...await f([2, 3])), (await f(o)).m(4), (await f(o))?.m?.(await f(5)), new (await f(Map))([[1, 2]]).size, await new Promise((r) => r(7)), (await f((x) => x))(8), await (await f(f))(9)) })()`,
  "literals and templates": `${f} (async () => { log(JSON.stringify({ a: await f(1), [await f("b")]: [await f(2), ...await f([3])], ...await f({ c: 4 }) }), \`x\${await f(5)}y\${ await f(6) }\`, String.raw\`\${await f("\\n")}\`) })()`,
  "without a space": `${f} (async () => { log(await(f(1)), await[2], (await{a:3}).a, await"s", await/*c*/f(4), await// c
    f(5)); for (const x of await f([6])) log(x); for (const k in await f({ k: 1 })) log(k) })()`,
  statements: `${f} (async () => { if (await f(1)) log("then"); else log("else"); if (!await f(1)) log("then"); else await f("else"); let n = 2; while (await f(n--)) log(n); do n++; while (await f(n < 2)); for (let i = await f(0); i < await f(2); i += await f(1)) log(i);
    switch (await f(1)) { case await f(0): log("no"); case await f(1): log("yes"); await f("in"); default: log("through") }
    try { throw await f("e") } catch (e) { log(await f(e)) } finally { await f("finally") } try { await Promise.reject("r") } catch ({ length }) { log(length) }
    out: { if (await f(1)) break out; log("never") } var { a = await f(7), ...rest } = await f({ b: 1 }); log(a, JSON.stringify(rest)); [n = await f(3), a] = await f([]); log(n); return await f(9) })().then(log)`,
  assignments: `${f} (async () => { const o = { x: 1, get y() { log("get y"); return 5 }, set y(v) { log("set", v) } }; o.x += await f(2); o[await f("z")] = await f(3); o.y += await f(1); o.q ??= await f(4); o.x &&= await f(8); let a = 1; a += await f(a = 5); log(JSON.stringify(o), a); delete (await f(o)).x; log("x" in o, await f("z") in o, o instanceof await f(Object)) })()`,
  "lines without semicolons": `${f} (async () => { const a = 1
    await f(a)
    let b = a
    await f(b), log("comma")
    await f(1) ? log("yes") : log("no")
    b++
    await f(b) + 1
    const g = f
    await f("last") })()
    async () => 1
    log("after")`,
  "lines without semicolons, in blocks and cases": `${f} (async () => { switch (1) { case 1: f("case")
    await f("in case") }
    { f("block")
    await f("in block") } if (true) await f("if")
    else await f("else")
    do f("do"); while (false) await f("after do")
    const o = { a: 1 }
    await f("after object")
    const g = function () {}
    await f("after function")
    label: await f("labelled") })()`,
  "classes made in async code": `${f} (async () => { class A extends (await f(Map)) { [await f("m")]() { return super.size } static [await f("s")] = 1; static { log("static", this.s) } } log(new A([[1, 1]]).m()) })()`,
  "thenables, and constructors that throw": `(async () => { log(await { then(r) { log("then"); r(1) } }); try { await { get then() { throw "x" } } } catch (e) { log(e) } const p = Promise.resolve(1); Object.defineProperty(p, "constructor", { get() { throw "c" } }); try { await p } catch (e) { log(e) } })()`,
  "comments, strings and expressions that look like async code": `
    // async function never() { await 1 }
    const s = "async () => await x", t = \`await \${1} async\`, r = /async await/g; /* await */ (async /* why */ function /* name */ g /* args */ ( /* none */ ) /* body */ { /* await */ await /* what */ s; return s + t + r.source })().then(log); (async /* a */ ( /* b */ x /* c */ ) /* d */ => /* e */ x /* f */)(1).then(log); (async (x = 1 /* , ) */, /* => */) => x)().then(log); class A { /* async */ static /* async */ async /* async */ m /* () */ () { return g.name } } log(A.m.name)`,
  "identifiers that are words elsewhere": `var yield_ = 1, of = [1], get = 2, set = 3, let_ = 4; (async () => { for (const of of [await 5]) log(of); log(get, set); ({ await: 1, yield: 2, async: 3 }).await; log({ await: 7 }.await) })()`,
});
