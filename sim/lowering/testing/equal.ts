/** One test for each text: it says the same at the same ticks, lowered and not. */
import { expect, test } from "vitest";
import { bothWays, said } from "./both-ways.ts";

export function equalBothWays(what: string, texts: Readonly<Record<string, string>>): void {
  test.each(Object.entries(texts))(`${what}: %s`, async (_, text) => {
    const { native, lowered, live } = await bothWays(text);
    expect(lowered).toEqual(native);
    expect(live).toEqual(native);
    // A text that says nothing compares nothing.
    expect(said(native)).not.toEqual([]);
  });
}
