/**
 * Situations that are kept by name, because somebody was hurt in them: scripts for every scheduler, each with the subject
 * that it is about; the note's own reproduction; and a file that two calls read, change and write.
 */
import { defaultPolicy } from "../../core/lease/state.ts";
import { type Scenario, scenario, type World } from "../../sim/scenario.ts";
import type { LeaseScript } from "./script.ts";
import { about, close, file, nothing, request, spawn, wait, workspace } from "./situations.ts";
import type { MakeSubject } from "./subjects/all.ts";

export type KeptScript = {
  readonly name: string;
  /** Who gets it wrong, and what breaks then. */
  readonly subject: string;
  readonly breaks: string;
  readonly script: LeaseScript;
  /** What a right scheduler answers, in order, where nothing comes in between. */
  readonly answers: readonly string[];
};

const edit = file("src/a.ts");

export const keptScripts: readonly KeptScript[] = [
  {
    name: "the head of the queue is cancelled, and who waited for it alone goes at once",
    subject: "does-not-pump-on-cancel",
    breaks: "lease/no-idle-waiter",
    script: [
      request("edit", edit),
      request("command", workspace),
      request("note", file("docs/b.md")),
      about("abort", "command"),
    ],
    answers: ["granted edit", "cancelled command", "granted note"],
  },
  {
    name: "a child is spawned while its parent's write awaits approval",
    subject: "intends-after-approval",
    breaks: "lease/parent-child-exclusive",
    script: [request("edit", edit, { needsApproval: true }), spawn("child", "src"), about("approve", "edit")],
    answers: ["spawn-refused child", "granted edit"],
  },
  {
    name: "a run is closed before it is aborted",
    subject: "keeps-waiters-on-close",
    breaks: "lease/close-leaves-nothing",
    script: [
      request("edit", edit),
      request("command", workspace, { owner: "run" }),
      close("run"),
      about("abort", "command"),
      about("release", "edit"),
    ],
    answers: ["granted edit", "cancelled command"],
  },
  {
    name: "a stuck call releases after it was fenced off",
    subject: "releases-by-name",
    breaks: "lease/single-writer",
    script: [
      request("stuck", edit, { owner: "run" }),
      close("run"),
      request("second", edit),
      request("third", edit),
      wait(defaultPolicy.stuckLimitMs),
      about("release", "stuck"),
      about("release", "second"),
    ],
    answers: ["granted stuck", "granted second", "granted third"],
  },
  {
    // The first call makes the file; the last one names it when it is there.
    name: "a new file has one key under every spelling, before it is made and after",
    subject: "compares-raw-paths",
    breaks: "lease/single-writer",
    script: [
      request("makes", file("src/new.ts")),
      request("before", file("./src//new.ts")),
      about("release", "makes"),
      request("after", file("src\\x\\..\\new.ts")),
      about("release", "before"),
      about("release", "after"),
    ],
    answers: ["granted makes", "granted before", "granted after"],
  },
  {
    name: "a control call passes while everything is locked",
    subject: "refuses-siblings",
    breaks: "lease/sibling-calls-queue",
    script: [request("command", workspace), request("next", workspace), request("wait_agent", nothing)],
    answers: ["granted command", "granted wait_agent", "expired next"],
  },
];

export type Start = "in parallel" | "one after another" | "in any order";
/** What became of one message: who succeeded in which order, who failed, and how long it took. */
export type MessageEnd = {
  readonly ran: readonly string[];
  readonly failed: readonly string[];
  readonly tookMs: number;
};

const commands = ["first command", "second command", "third command"];
const commandMs = 400;

/** The note's reproduction: three commands of 400 ms, of which nobody knows what they write, and a read. */
export function oneMessage(make: MakeSubject, start: Start, onEnd: (end: MessageEnd) => void): Scenario {
  return scenario(`one message, its tools started ${start}`, (world) => {
    const leases = make({ approve: async () => true }, defaultPolicy);
    const ran: string[] = [];
    const failed: string[] = [];
    let busy = 0;
    const runTool = async (call: string) => {
      const footprint = call === "read" ? nothing : workspace;
      const { signal } = new AbortController();
      try {
        const lease = await leases.acquire({ call, owner: "root", footprint, signal });
        if (footprint === workspace) busy += 1;
        if (footprint === workspace) await pass(commandMs);
        if (footprint === workspace) busy -= 1;
        ran.push(call);
        lease.release();
      } catch {
        failed.push(call);
      }
    };
    const calls = [...commands, "read"];
    if (start === "in any order") for (const call of calls) world.actor(call, () => runTool(call));
    else if (start === "in parallel") world.actor("message", () => Promise.all(calls.map(runTool)));
    else world.actor("message", () => Promise.all(calls.map((call, at) => pass(at).then(() => runTool(call)))));
    world.always("commands run one at a time", () => busy <= 1);
    world.atQuiescence("everybody has an outcome", () => {
      onEnd({ ran: [...ran], failed: [...failed], tookMs: world.nowMs });
      return ran.length + failed.length === calls.length;
    });
  });
}

/** Two edits of one file under two spellings: each reads it, thinks, and writes what it read with a line of its own. */
export function readModifyWrite(make: MakeSubject): Scenario {
  return scenario("a file that two calls read, change and write", (world) => {
    const leases = make({ approve: async () => true }, defaultPolicy);
    const disk = { lines: 0, edits: 0 };
    for (const [call, path] of [
      ["one", "src/a.ts"],
      ["other", "./src/a.ts"],
    ] as const) {
      world.actor(call, () => addLine(world, () => leases.acquire(asked(call, path)), disk));
    }
    world.atQuiescence("no edit is lost", () => {
      return disk.lines === disk.edits || `${disk.lines} of ${disk.edits} lines are there`;
    });
  });
}

async function addLine(
  world: World,
  acquire: () => Promise<{ release(): void }>,
  disk: { lines: number; edits: number },
): Promise<void> {
  const lease = await acquire().catch(() => null);
  // It waited too long: then it has written nothing.
  if (lease === null) return;
  const { lines } = disk;
  await world.io("edit", () => {
    disk.lines = lines + 1;
    disk.edits += 1;
  });
  lease.release();
}

function asked(call: string, path: string) {
  return { call, owner: "root", footprint: file(path), signal: new AbortController().signal };
}

function pass(ms: number): Promise<void> {
  return new Promise((resolve) => (ms === 0 ? resolve() : setTimeout(resolve, ms)));
}
