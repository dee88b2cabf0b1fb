/**
 * One test for each text: it says the same at the same ticks, lowered and not, as it is written and with no white space that
 * could be left out: tools hand it over like that.
 */
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import { bothWays, said } from "./both-ways.ts";

export function equalBothWays(what: string, texts: Readonly<Record<string, string>>): void {
  test.each(Object.entries(texts))(`${what}: %s`, async (_, text) => {
    await compare(text);
    await compare(transformSync(text, { minifyWhitespace: true, target: "esnext" }).code);
  });
}

/** For syntax that esbuild, which leaves out the white space, cannot read. */
export function equalAsWritten(what: string, text: string): void {
  test(what, () => compare(text));
}

async function compare(text: string): Promise<void> {
  const { native, lowered, live } = await bothWays(text);
  expect(lowered).toEqual(native);
  expect(live).toEqual(native);
  // A text that says nothing compares nothing.
  expect(said(native)).not.toEqual([]);
}
