/** Situations that chance seldom comes to: a queue of three whose middle one leaves, a child's name that comes again, a late tick. */
import type { Footprint } from "../../../core/lease/state.ts";
import type { LeasePolicyStep, LeaseScript, LeaseScriptStep } from "../script.ts";

const workspace: Footprint = { kind: "workspace" };
const file = (path: string): Footprint => ({ kind: "file", path });
const limits: LeasePolicyStep = { type: "policy", waitLimitMs: 2, stuckLimitMs: 2 };

const request = (call: string, footprint: Footprint, more: { owner?: string; needsApproval?: boolean } = {}) =>
  ({ type: "request", owner: "run", needsApproval: false, aborted: false, ...more, call, footprint }) as const;
const spawn = (child: string, ...paths: string[]): LeaseScriptStep => ({ type: "spawn", child, owner: "run", paths });
const wait = (ms: number): LeaseScriptStep => ({ type: "wait", ms });

const runs = request("c1", file("src"));
const blocked = request("c2", workspace, { owner: "other" });
/** Overlaps the one in the middle only. */
const behind = request("c3", file("docs"));

export const crowds: readonly LeaseScript[] = [
  [limits, runs, blocked, behind, { type: "abort", call: "c2" }],
  [limits, runs, blocked, behind, { type: "close", owner: "other" }],
  [{ ...limits, queue: "per-path" }, runs, blocked, behind],
  [limits, runs, blocked, request("c3", file("src")), spawn("k1", "src"), { type: "release", call: "c1" }],
  [
    limits,
    request("c1", workspace, { owner: "other" }),
    request("c2", file("src")),
    { type: "close", owner: "other" },
    wait(2),
  ],
  [
    limits,
    request("c1", workspace, { owner: "other" }),
    { type: "close", owner: "other" },
    wait(1),
    { type: "close", owner: "other" },
  ],
  [limits, runs, blocked, wait(1), request("c3", file("src")), wait(1), wait(1)],
  [
    limits,
    spawn("k1", "src"),
    { type: "finish", child: "k1" },
    spawn("k1", "src"),
    { type: "finish", child: "k1", fence: 1 },
  ],
  [
    limits,
    runs,
    request("c2", file("docs"), { needsApproval: true }),
    spawn("k1", "docs"),
    { type: "deny", call: "c2" },
  ],
  [limits, request("c1", workspace, { owner: "other" }), { type: "close", owner: "other" }, wait(3)],
  [
    limits,
    request("c1", workspace),
    request("c2", file("src"), { needsApproval: true }),
    wait(1),
    { type: "approve", call: "c2" },
    wait(1),
  ],
];
