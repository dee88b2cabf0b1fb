/** Parent and child, and which paths are one: one rule changed each. */
import {
  change,
  isFile,
  isRefused,
  type LeaseMutant,
  mutant,
  on,
  overlooking,
  silenced,
  transition,
} from "./mutant.ts";

export const familyMutants: readonly LeaseMutant[] = [
  mutant("forgets-intents", "spawn does not look at root calls", {
    transition: on("spawn", (policy, state, input) => overlooking({ call: isFile }, policy, state, input)),
  }),
  mutant("intends-after-approval", "spawn does not look at calls that ask for approval", {
    transition: on("spawn", (policy, state, input) =>
      overlooking({ call: ({ stage }) => stage === "approving" }, policy, state, input),
    ),
  }),
  mutant("intends-when-granted", "spawn does not look at calls that wait", {
    policy: { conflict: "queue" },
    transition: on("spawn", (policy, state, input) =>
      overlooking({ call: ({ stage }) => stage === "waiting" }, policy, state, input),
    ),
  }),
  mutant("loses-the-path-while-asking", "a file call that asks for approval has no path until it is enqueued", {
    transition: on("request", (policy, state, input) => {
      const step = transition(policy, state, input);
      const isAsking = step.state.calls.get(input.call)?.stage === "approving" && !isRefused(step);
      return isAsking ? { ...step, state: change(step.state, input.call, { footprint: { kind: "none" } }) } : step;
    }),
  }),
  mutant("writes-under-a-child", "request does not look at children", {
    transition: on("request", (policy, state, input) => overlooking({ child: () => true }, policy, state, input)),
  }),
  mutant("children-share", "spawn does not look at other children", {
    transition: on("spawn", (policy, state, input) => overlooking({ child: () => true }, policy, state, input)),
  }),
  mutant("claims-the-first-path", "spawn claims the first of its paths", {
    transition: on("spawn", (policy, state, input) =>
      transition(policy, state, { ...input, paths: input.paths.slice(0, 1) }),
    ),
  }),
  mutant("spawns-by-half", "a refused spawn claims the paths that are free", {
    transition: on("spawn", (policy, state, input) => {
      const step = transition(policy, state, input);
      if (!isRefused(step)) return step;
      for (const path of input.paths) {
        const half = transition(policy, state, { ...input, paths: [path] });
        if (!isRefused(half)) return { state: half.state, effects: step.effects };
      }
      return step;
    }),
  }),
  mutant("commands-exclude-children", "spawn is refused while a command runs", {
    transition: on("spawn", (policy, state, input) => {
      const command = [...state.calls].find(
        ([, { stage, footprint }]) => stage === "granted" && footprint.kind === "workspace",
      );
      const [path] = input.paths;
      if (command === undefined || path === undefined) return transition(policy, state, input);
      return { state, effects: [{ type: "refused", input, reason: "root-writing", path, holder: command[0] }] };
    }),
  }),
  mutant("silent-overlap", "a command beside a child is not told", {
    transition: (policy, state, input) => silenced(transition(policy, state, input), "overlaps-child"),
  }),
  mutant("case-always-counts", "paths that differ in case are two files", {
    policy: { caseSensitive: false },
    transition: (policy, state, input) => transition({ ...policy, caseSensitive: true }, state, input),
  }),
  mutant("case-never-counts", "paths that differ in case are one file", {
    policy: { caseSensitive: true },
    transition: (policy, state, input) => transition({ ...policy, caseSensitive: false }, state, input),
  }),
  mutant("names-the-last-holder", "a refused request names the last holder", {
    transition: on("spawn", (policy, state, input) => {
      const turned = { ...state, calls: new Map([...state.calls].reverse()) };
      const step = transition(policy, turned, input);
      return isRefused(step) ? { ...step, state } : transition(policy, state, input);
    }),
  }),
];
