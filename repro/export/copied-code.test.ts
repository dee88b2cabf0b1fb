import { expect, test } from "vitest";
import { copySentences } from "./copied-code.ts";

const told = (...lines: readonly string[]): readonly string[] => {
  return copySentences({ path: "/app/wake.scenario.ts", text: lines.join("\n") });
};

test.each<[string, string]>([
  ["class Agent {", "class Agent"],
  ["export class Agent<T> extends Base {", "class Agent"],
  ["export default class Agent {", "class Agent"],
  ["export abstract class Agent {", "class Agent"],
  ["  class Agent {", "class Agent"],
  ["const Agent = class {", "class Agent"],
  ["function drive(inbox: string[]): void {", "function drive"],
  ["export async function drive() {", "function drive"],
  ["function* drive() {", "function drive"],
  ["export async function *drive() {", "function drive"],
  ["const drive = async (inbox: string[]): Promise<void> => {", "function drive"],
  ["export const drive: Driver = (inbox) => inbox;", "function drive"],
  ["const drive = inbox => inbox;", "function drive"],
  ["const drive = function () {", "function drive"],
])("copySentences() names what %j declares", (line, named) => {
  const [first, then] = told(line, "}");
  expect(first).toBe(
    `The test holds a copy of ${named} from "wake.scenario.ts": a fix of the original does not reach the copy.`,
  );
  expect(then).toMatch(/^Move the code under test to a file of its own, import it in the scenario, and export/);
});

test("copySentences() says nothing of a file with scenarios alone", () => {
  expect(
    told(
      'import { scenario } from "microloom";',
      'import { Agent } from "./agent.ts";',
      "// class Agent is elsewhere, and so is",
      " * class Agent",
      "type Inbox = readonly string[];",
      "const limit = 3;",
      'export const wake = scenario("a class Agent", (world) => {',
      "  const act = () => 1;",
      "  function inner() {}",
      "});",
      "export const other = scenario(",
      '  "another",',
      "  (world) => {},",
      ");",
    ),
  ).toEqual([]);
});

test("copySentences() names a few and counts the others", () => {
  const classes = (count: number) => Array.from({ length: count }, (_, at) => `class C${at} {}`);
  expect(told(...classes(2))[0]).toContain("a copy of class C0 and class C1 from");
  expect(told(...classes(5))[0]).toContain("a copy of class C0, class C1, class C2, class C3 and class C4 from");
  expect(told(...classes(9))[0]).toContain("class C3, class C4 and 4 more from");
});
