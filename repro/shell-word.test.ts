import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { shellWord } from "./shell-word.ts";

test("shellWord() reaches a program as it is, whatever a label holds", () => {
  const words = ["plain/path-1.json", "a b", "it's", "$(echo no)", "`echo no`", '"', "\\", "*", "~", "!x", "", "a=b"];
  const printed = execFileSync("sh", ["-c", `printf '%s\\0' ${words.map(shellWord).join(" ")}`], { encoding: "utf8" });
  expect(printed.split("\0").slice(0, -1)).toEqual(words);
  expect(shellWord("plain/path-1.json")).toBe("plain/path-1.json");
});
