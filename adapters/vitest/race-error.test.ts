import { expect, test } from "vitest";
import { renderExplore } from "../../reports/explore.ts";
import { breaking } from "../../reports/testing/breaking.ts";
import { explore } from "../../repro/explore.ts";
import { RaceError } from "./race-error.ts";

test("RaceError says what the command says, and where the repro is", async () => {
  const subject = breaking("quiescence", "bug");
  const result = await explore(subject);
  const options = { color: false, full: false, replayArguments: "x.json", command: "npx microloom" };
  const command = renderExplore(subject.name, result, options);
  const error = new RaceError(subject.name, result, {
    path: ".microloom/quiescence-bug.json",
    keep: "move it to repros/",
  });
  expect(error.name).toBe("RaceError");
  expect(error.result).toBe(result);
  const lines = error.message.split("\n");
  const replay = command.findIndex((line) => line.startsWith("  Replay it:"));
  expect(lines.slice(0, replay)).toEqual(command.slice(0, replay));
  expect(lines.slice(replay)).toEqual([
    "  Replay it: run this test again, it finds the same failure",
    "  The repro is in .microloom/quiescence-bug.json",
    "  Keep it: move it to repros/",
    ...command.slice(replay + 2),
  ]);
  expect(new RaceError(subject.name, result, null).message).not.toContain("Replay it");
});
