import { describe, expect, test } from "vitest";
import { ScenarioError } from "../scenario.ts";
import { NameTable } from "./name-table.ts";

describe("NameTable.asked()", () => {
  test("NameTable.asked() gives one family to every way of writing a name", () => {
    const table = new NameTable();
    const agent = table.source("agent", "a test");
    const user = table.source("user", "a test");
    const family = table.asked(agent, "model", undefined, "a test");
    expect(table.asked(user, "agent:model", undefined, "a test")).toBe(family);
    expect(table.asked(agent, "agent:model", undefined, "a test")).toBe(family);
    expect(table.family(agent, "model", "a test")).toBe(family);
    expect(table.asked(user, "model", undefined, "a test")).not.toBe(family);
  });

  test("NameTable.asked() keeps keys apart, whatever is in them", () => {
    const table = new NameTable();
    const agent = table.source("agent", "a test");
    for (const key of ["", "a", "a:b", "#1", "]", "a#2"]) {
      const family = table.asked(agent, "read", key, "a test");
      expect(family.nameOf(1)).toBe(`agent:read[${key}]#1`);
      expect(table.asked(agent, "read", key, "a test")).toBe(family);
      expect(table.asked(agent, "agent:read", key, "a test").nameOf(1)).toBe(family.nameOf(1));
    }
  });

  test("NameTable.asked() tells a label with a colon from an event of that label", () => {
    const table = new NameTable();
    const user = table.source("user", "a test");
    expect(table.family(user, "net:go", "a test").nameOf(1)).toBe("user:net:go#1");
    expect(table.asked(user, "net:go", undefined, "a test").nameOf(1)).toBe("net:go#1");
  });

  test("NameTable.asked() has no trouble with names of Object's own", () => {
    const table = new NameTable();
    const source = table.source("__proto__", "a test");
    expect(table.asked(source, "constructor", undefined, "a test").nameOf(3)).toBe("__proto__:constructor#3");
  });
});

describe("NameTable.number()", () => {
  test("NameTable.number() starts again in every execution", () => {
    const table = new NameTable();
    const family = table.asked(table.source("a", "a test"), "x", undefined, "a test");
    expect([1, 1, 1, 2, 2, 3].map((execution) => table.number(family, execution))).toEqual([1, 2, 3, 1, 2, 1]);
  });

  test("NameTable.number() finds names ambiguous only while two are open", () => {
    const table = new NameTable();
    const family = table.asked(table.source("a", "a test"), "x", undefined, "a test");
    table.number(family, 1);
    family.open--;
    table.number(family, 1);
    expect([...table.ambiguous]).toEqual([]);
    table.number(family, 1);
    expect([...table.ambiguous]).toEqual(["a:x"]);
  });
});

describe("NameTable.source()", () => {
  test("NameTable.source() refuses a source that could not be read back", () => {
    for (const name of ["", " ", "a:b", "a#b"]) {
      expect(() => new NameTable().source(name, "a test")).toThrow(ScenarioError);
      expect(() => new NameTable().source(name, "a test")).toThrow("Cannot name a test: expected a source");
    }
  });
});
