/** For each subject the smallest situation that has its story in it. The first-come order of every one of them is harmless. */
import type { Footprint } from "../../core/lease/state.ts";
import type { Situation } from "./flows.ts";
import type { LeaseScriptStep, Together } from "./script.ts";

type Request = Extract<LeaseScriptStep, { readonly type: "request" }>;

export const workspace: Footprint = { kind: "workspace" };
export const nothing: Footprint = { kind: "none" };

export function file(path: string): Footprint {
  return { kind: "file", path };
}

export function request(call: string, footprint: Footprint, more: Partial<Request> = {}): Request {
  return { type: "request", owner: "root", needsApproval: false, aborted: false, ...more, call, footprint };
}

export function about(type: "approve" | "deny" | "release" | "abort", call: string): LeaseScriptStep {
  return { type, call };
}

export function granted(name: string): LeaseScriptStep {
  return { type: "await", name };
}

export function spawn(child: string, ...paths: readonly string[]): LeaseScriptStep {
  return { type: "spawn", child, owner: "root", paths: [...paths] };
}

export function finish(child: string): LeaseScriptStep {
  return { type: "finish", child };
}

export function close(owner: string): LeaseScriptStep {
  return { type: "close", owner };
}

export function wait(ms: number): LeaseScriptStep {
  return { type: "wait", ms };
}

export function together(label: string, ...steps: readonly LeaseScriptStep[]): Together {
  return { type: "together", label, steps };
}

/** One tool call, from its request to its release. */
export function run(call: string, footprint: Footprint, more: Partial<Request> = {}): readonly LeaseScriptStep[] {
  return [request(call, footprint, more), granted(call), about("release", call)];
}

const edit = file("src/a.ts");
/** A flow that begins with it is under way when the next one begins; it is in nobody's way. */
const look = request("look", nothing);
/** Longer than the stuck limit, and shorter than the wait limit. */
const ignoresItsSignal = wait(120_000);

export const situations = {
  /** A child is spawned on a folder while its parent writes in it. */
  "forgets-intents": {
    flows: { parent: run("edit", edit), child: [spawn("child", "src"), finish("child")] },
  },
  /** The same, while the user is asked whether the parent may write. */
  "intends-after-approval": {
    flows: {
      child: [look, spawn("child", "src"), finish("child")],
      parent: [
        request("edit", edit, { needsApproval: true }),
        about("approve", "edit"),
        granted("edit"),
        about("release", "edit"),
      ],
    },
  },
  /** An edit runs, a command waits for it, and another edit for the command; then the command is cancelled, or expires. */
  "does-not-pump-on-cancel": {
    flows: {
      message: [
        together("message", request("edit", edit), request("command", workspace)),
        // So that it does not expire in the very moment in which the command does.
        wait(1_000),
        request("note", file("docs/b.md")),
        ...["edit", "command", "note"].map((call) => about("release", call)),
      ],
      user: [about("abort", "command")],
    },
  },
  /** A run is aborted by one part of the application and closed by another, while a command of it waits. */
  "keeps-waiters-on-close": {
    flows: {
      teardown: [look, close("run")],
      message: [
        together("message", request("edit", edit), request("command", workspace, { owner: "run" })),
        ...["edit", "command"].map((call) => about("release", call)),
      ],
      stop: [about("abort", "command")],
    },
  },
  /** The user says yes and stops in one go. */
  "trusts-the-fast-path": {
    flows: {
      user: [look, together("yes and stop", about("approve", "edit"), about("abort", "edit"))],
      edit: run("edit", edit, { needsApproval: true }),
    },
  },
  /** A worker goes on for two minutes after its run was closed, and a command wants its file. */
  "never-gives-up-on-stuck": {
    flows: {
      worker: [request("stuck", edit, { owner: "run" }), granted("stuck"), ignoresItsSignal, about("release", "stuck")],
      teardown: [close("run")],
      next: run("command", workspace),
    },
  },
  /** The same, and when it releases at last somebody else has the file, and somebody waits for it. */
  "releases-by-name": {
    flows: {
      worker: [request("stuck", edit, { owner: "run" }), granted("stuck"), ignoresItsSignal, about("release", "stuck")],
      teardown: [close("run")],
      successors: [
        together("message", request("second", edit), request("third", edit)),
        granted("second"),
        ignoresItsSignal,
        about("release", "second"),
        granted("third"),
        about("release", "third"),
      ],
    },
  },
  /** One stop for a call that runs and one that waits: the tool that runs releases as soon as it hears of it. */
  "grants-then-cancels": {
    flows: {
      user: [look, together("stop", about("abort", "command"), about("release", "edit"))],
      message: [
        together("message", request("edit", edit), request("command", workspace)),
        ...["edit", "command"].map((call) => about("release", call)),
      ],
    },
  },
  /** Two calls of one message spell one file in two ways. */
  "compares-raw-paths": {
    flows: { one: run("one", edit), other: run("other", file("./src/a.ts")) },
  },
} as const satisfies Record<string, Situation>;
