/** Whether a sync iterator is closed that fails below a `for await` or a `yield*`: V8 has changed its mind about it. */

const unawaitable = `Object.defineProperty(Promise.resolve(1), "constructor", { get() { throw "c"; } })`;
const closes = `return() { L("return"); return {}; }`;

/** Runs a `for await` over an iterator, and says how that ends. */
function walked(members: string): string {
  return `const it = { ${members} };
    (async () => { for await (const v of { [Symbol.iterator]: () => it }) { L(v); break; } })().then(() => L("end"), (e) => L(e?.name ?? e));`;
}

/** Throws into a `yield*`. */
function thrownInto(member: string): string {
  return `const it = { next: () => ({ done: false, value: 1 }), ${member}, ${closes} };
    const g = (async function* () { yield* { [Symbol.iterator]: () => it }; })();
    g.next(); g.throw("x").then((v) => L("given" + v.value), (e) => L(e?.name ?? e));`;
}

export const closing: Readonly<Record<string, string>> = {
  nextThrows: walked(`next() { throw "n"; }, ${closes}`),
  nextThrowsLater: walked(
    `at: 0, next() { if (this.at++ === 1) throw "n"; return { value: 1, done: false }; }, ${closes}`,
  ).replace("break; ", ""),
  nextIsNoFunction: walked(`next: 5, ${closes}`),
  nextCannotBeRead: walked(`get next() { throw "g"; }, ${closes}`),
  resultIsNoObject: walked(`next: () => 5, ${closes}`),
  doneThrows: walked(`next: () => ({ get done() { throw "d"; } }), ${closes}`),
  valueThrows: walked(`next: () => ({ done: false, get value() { throw "v"; } }), ${closes}`),
  valueThrowsAtTheEnd: walked(`next: () => ({ done: true, get value() { throw "v"; } }), ${closes}`),
  valueRejected: walked(`next: () => ({ done: false, value: Promise.reject("r") }), ${closes}`),
  valueRejectedAtTheEnd: walked(`next: () => ({ done: true, value: Promise.reject("r") }), ${closes}`),
  valueUnawaitable: walked(`next: () => ({ done: false, value: ${unawaitable} }), ${closes}`),
  valueUnawaitableAtTheEnd: walked(`next: () => ({ done: true, value: ${unawaitable} }), ${closes}`),
  closingThrows: walked(`next() { throw "n"; }, return() { L("return"); throw "other"; }`),
  closingIsNoFunction: walked(`next() { throw "n"; }, return: 5`),
  returnGivesNoObject: walked(`next: () => ({ done: false, value: 1 }), return() { L("return"); return 5; }`),
  returnedValueThrows: walked(
    `next: () => ({ done: false, value: 1 }), return() { L("return"); return { get value() { throw "v"; } }; }`,
  ),
  returnedValueUnawaitable: walked(
    `next: () => ({ done: false, value: 1 }), return() { L("return"); return { value: ${unawaitable} }; }`,
  ),
  returnCannotBeRead: walked(`next: () => ({ done: false, value: 1 }), get return() { throw "g"; }`),
  returnIsNoFunction: walked("next: () => ({ done: false, value: 1 }), return: 5"),
  throwThrows: thrownInto(`throw(e) { throw "own" + e; }`),
  throwIsMissing: thrownInto("other: 1"),
  throwIsNoFunction: thrownInto("throw: 5"),
  throwCannotBeRead: thrownInto(`get throw() { throw "g"; }`),
  throwGivesNoObject: thrownInto("throw: () => 5"),
  thrownValueThrows: thrownInto(`throw: () => ({ done: true, get value() { throw "v"; } })`),
};
