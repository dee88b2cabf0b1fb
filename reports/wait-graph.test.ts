import { describe, expect, test } from "vitest";
import type { MadePromise, Wait, WaitGraph, WaitRoot } from "../sim/result.ts";
import { waitLines } from "./wait-graph.ts";

const at = (file: string, line: number) => ({ file, line, column: 1 });
const made = (line: number, by: string, within: string | null = `${by}:want f2#1`): MadePromise => ({
  at: at("src/lock.ts", line),
  within,
  by,
});

function waits(who: string, maker: string, root: WaitRoot = { kind: "code" }): Wait {
  return {
    who,
    alike: 0,
    made: made(1, who),
    links: [
      { how: "await", at: at("src/move.ts", 12), made: made(7, who), beside: 0 },
      { how: "await", at: at("src/lock.ts", 9), made: made(8, maker), beside: 0 },
    ],
    root,
  };
}

const deadlock: WaitGraph = { seen: "all", waits: [waits("A", "B"), waits("B", "A")], more: 0, cycle: ["A", "B"] };

describe("waitLines()", () => {
  test("tells where each waits and what is at the root, and names the circle", () => {
    expect(waitLines(deadlock, false)).toEqual([
      "  Wait-for graph:",
      "    A waits at src/move.ts:12 for a promise made by B at src/lock.ts:8 in the drain of B:want f2#1, which nobody has settled",
      "    B waits at src/move.ts:12 for a promise made by A at src/lock.ts:8 in the drain of A:want f2#1, which nobody has settled",
      "    in a circle: A → B → A; each waits for a promise that the next one made",
    ]);
  });

  test("tells every promise on the way in full", () => {
    expect(waitLines({ ...deadlock, waits: [waits("A", "B")], cycle: [] }, true)).toEqual([
      "  Wait-for graph:",
      "    A waits at src/move.ts:12 for a promise made at src/lock.ts:7 in the drain of A:want f2#1",
      "      which waits at src/lock.ts:9 for a promise made by B at src/lock.ts:8 in the drain of B:want f2#1, which nobody has settled",
    ]);
  });

  test.each<[WaitRoot, string]>([
    [{ kind: "hung", delivery: "disk:read#1" }, ": disk:read#1, which was made to hang"],
    [{ kind: "open", delivery: "disk:read#1" }, ": disk:read#1, which has not come"],
    [{ kind: "cancelled", delivery: "a:timer 5#1" }, ": a:timer 5#1, which was cancelled"],
    [{ kind: "foreign" }, ", which waits for one that is older than the execution"],
    [{ kind: "unknown" }, "; what that waits for is not known"],
  ])("says of the root %o what is known", (root, words) => {
    const [, line] = waitLines({ ...deadlock, waits: [waits("A", "A", root)], cycle: [] }, false);
    expect(line).toBe(
      `    A waits at src/move.ts:12 for a promise made at src/lock.ts:8 in the drain of A:want f2#1${words}`,
    );
  });

  test("takes eight lines at most unless asked for all, and escapes names", () => {
    const names = Array.from({ length: 20 }, (_, index) => `a\n${index}`);
    const crowd: WaitGraph = {
      seen: "part",
      waits: names.map((who) => ({ ...waits(who, who), alike: 9 })),
      more: 800,
      cycle: names,
    };
    const lines = waitLines(crowd, false);
    expect(lines).toHaveLength(8);
    expect(lines[0]).toBe("  Wait-for graph, as far as async hooks have seen it:");
    expect(lines[1]).toMatch(/^ {4}a ⏎ 0 and 9 more wait at /);
    expect(lines[7]).toBe("    … 950 more unsettled; --full shows more");
    for (const line of [...lines, ...waitLines(crowd, true)]) expect(line).not.toMatch(/\p{Cc}/u);
    expect(waitLines(crowd, true).at(-1)).toBe("    … 800 more unsettled");
  });

  test("says that nothing is known without hooks", () => {
    const blind: WaitGraph = {
      seen: "none",
      waits: ["A", "B"].map((who) => ({ who, alike: 0, made: null, links: [], root: { kind: "unknown" } })),
      more: 3,
      cycle: [],
    };
    expect(waitLines(blind, false)).toEqual([
      "  Wait-for graph: only who waits is known (A, B and 3 more), because async hooks cannot be used in this process",
    ]);
  });
});
