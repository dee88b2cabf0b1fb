import { expect, test } from "vitest";
import { bounded, fitted, type Section } from "./lines.ts";

const options = { color: false, full: false, replayArguments: null, command: "npx microloom", lines: 6 };
const section = (name: string, count: number, least: number, rank: number, whole = false): Section => {
  return { lines: Array.from({ length: count }, (_, at) => `${name}${at + 1}`), least, rank, whole };
};

test("fitted() leaves out the least important lines first, and says how many", () => {
  const must = section("must", 2, 2, 9);
  expect(fitted([must, section("a", 2, 0, 1), section("b", 2, 0, 2)], options)).toEqual([
    ..."must1 must2 a1 a2 b1 b2".split(" "),
  ]);
  expect(fitted([section("a", 3, 0, 1), must, section("b", 3, 1, 2)], options)).toEqual([
    ..."must1 must2 b1 b2 b3".split(" "),
    "  … 3 more lines; --full shows all",
  ]);
  expect(fitted([section("a", 3, 0, 1, true), must, section("b", 2, 0, 2)], options)).toEqual([
    ..."must1 must2 b1 b2".split(" "),
    "  … 3 more lines; --full shows all",
  ]);
  expect(fitted([section("a", 9, 0, 1), section("b", 9, 9, 2)], { ...options, full: true })).toHaveLength(18);
});

test("fitted() keeps to its limit even where more must stay", () => {
  expect(fitted([section("must", 9, 9, 9)], options)).toHaveLength(6);
  expect(
    bounded(
      Array.from({ length: 7 }, () => "x"),
      options,
    ),
  ).toEqual([..."x x x x x".split(" "), "  … 2 more lines; --full shows all"]);
});
