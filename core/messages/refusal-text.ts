/**
 * What a model reads when its call did not run: what was refused, the path, who holds it, what to do next.
 * The holder is always named by its id. "Another task" told nobody anything, and was wrong for sibling calls.
 */

import { id, inputShape } from "../lease/input.ts";
import { rootPath } from "../lease/path.ts";
import type { LeaseEffect, LeaseInput, LeaseRefusal } from "../lease/state.ts";
import { check, oneOf } from "../shape.ts";

/** An effect that ends a call or child, or turns one away. */
export type EndedEffect = Extract<LeaseEffect, { readonly type: "refused" | "expired" | "fenced" | "cancelled" }>;
export type Language = "en" | "zh";

/** `who` is the call or child it is about, `asked` its paths as they were asked for. */
type Refused = { who: string; path: string; holder: string; owner: string; asked: string };
type Ended = { who: string; child: boolean; path: string };
type Texts<About> = Readonly<Record<Language, (about: About) => string>>;

/** Puts the end of a call into words that a model can act on. */
export function refusalText(effect: EndedEffect, language: Language): string {
  check("language", language, oneOf("en", "zh"));
  check("effect", effect, { type: oneOf("refused", ...Object.keys(endings)) });
  if (effect.type !== "refused") {
    const child = "child" in effect;
    const who = child ? effect.child : effect.call;
    check("effect", who, id);
    const path = placeIn(language, effect.type === "expired" ? effect.path : rootPath);
    return endings[effect.type][language]({ who, child, path });
  }
  const { input, reason, path = rootPath, holder = "" } = effect;
  check("effect.input", input, inputShape);
  check("effect.reason", reason, oneOf(...Object.keys(refusals)));
  // A tick or a close is never refused; every other input names a call or a child.
  const who = "call" in input ? input.call : "child" in input ? input.child : "";
  const owner = "owner" in input ? input.owner : "";
  return refusals[reason][language]({ who, path: placeIn(language, path), holder, owner, asked: askedPaths(input) });
}

const refusals: Readonly<Record<LeaseRefusal, Texts<Refused>>> = {
  "duplicate-call": {
    en: ({ who }) => `Call "${who}" was refused: this id has been used. Retry under a new call id.`,
    zh: ({ who }) => `调用“${who}”被拒绝：该编号已被使用。请换一个新的调用编号重试。`,
  },
  "duplicate-child": {
    en: ({ who }) => `Subagent "${who}" was not started: this id is in use. Spawn it again under a new id.`,
    zh: ({ who }) => `子代理“${who}”未启动：该编号正在使用。请换一个新的编号重新创建。`,
  },
  "owner-closed": {
    en: ({ who, owner }) => `"${who}" was refused: run "${owner}" has been closed. Retry in a new run.`,
    zh: ({ who, owner }) => `“${who}”被拒绝：运行“${owner}”已经关闭。请在新的运行中重试。`,
  },
  "outside-workspace": {
    en: ({ who, asked }) =>
      `"${who}" was refused: ${asked} is not a path inside the workspace. Use a path relative to the workspace root that does not lead above it.`,
    zh: ({ who, asked }) =>
      `“${who}”被拒绝：${asked} 不是工作区内的路径。请使用相对于工作区根目录的路径，并且不要越出根目录。`,
  },
  "child-writing": {
    en: ({ who, path, holder }) =>
      `Call "${who}" cannot write ${path}: subagent "${holder}" holds it until it finishes. Call wait_agent for "${holder}" and retry, or write another file.`,
    zh: ({ who, path, holder }) =>
      `调用“${who}”不能写入${path}：子代理“${holder}”正占用该路径，直到它结束。请先用 wait_agent 等待“${holder}”结束再重试，或改写其他文件。`,
  },
  denied: {
    en: ({ who }) =>
      `Call "${who}" was not approved and did not run. Do not repeat it unchanged; ask the user or take another way.`,
    zh: ({ who }) => `调用“${who}”未获批准，没有执行。请不要原样重试；请询问用户，或换一种做法。`,
  },
  "root-busy": {
    en: ({ who, path, holder }) =>
      `Call "${who}" cannot have ${path} now: your own call "${holder}" is still running there. Retry when "${holder}" has ended, or use another file.`,
    zh: ({ who, path, holder }) =>
      `调用“${who}”暂时不能使用${path}：你自己的调用“${holder}”仍在其中运行。请等“${holder}”结束后重试，或改用其他文件。`,
  },
  "no-paths": {
    en: ({ who }) =>
      `Subagent "${who}" was not started: it declared no files. Spawn it again with the files it will write.`,
    zh: ({ who }) => `子代理“${who}”未启动：没有声明任何文件。请声明它要写入的文件后重新创建。`,
  },
  "child-conflict": {
    en: ({ who, path, holder }) =>
      `Subagent "${who}" was not started: subagent "${holder}" holds ${path} until it finishes. Call wait_agent for "${holder}" and spawn again, or declare other files.`,
    zh: ({ who, path, holder }) =>
      `子代理“${who}”未启动：子代理“${holder}”正占用${path}，直到它结束。请先用 wait_agent 等待“${holder}”结束再重新创建，或声明其他文件。`,
  },
  "root-writing": {
    en: ({ who, path, holder }) =>
      `Subagent "${who}" was not started: your own call "${holder}" writes ${path} or is about to. Retry when "${holder}" has ended, or declare other files.`,
    zh: ({ who, path, holder }) =>
      `子代理“${who}”未启动：你自己的调用“${holder}”正在或即将写入${path}。请等“${holder}”结束后重试，或声明其他文件。`,
  },
};

const endings: Readonly<Record<Exclude<EndedEffect["type"], "refused">, Texts<Ended>>> = {
  expired: {
    en: ({ who, path }) =>
      `Call "${who}" waited too long for ${path} and did not run. Retry it, or use another file if that happens again.`,
    zh: ({ who, path }) => `调用“${who}”等待${path}超时，没有执行。可以重试；如果再次超时，请改用其他文件。`,
  },
  fenced: {
    en: ({ who, child }) =>
      `${child ? "Subagent" : "Call"} "${who}" lost its lease: its run was closed and it did not stop in time. It must write no more files; retry in a new run if the work is still needed.`,
    zh: ({ who, child }) =>
      `${child ? "子代理" : "调用"}“${who}”的写入权限已被收回：它所属的运行已关闭，而它没有及时停止。请不要再写入文件；如仍有需要，请在新的运行中重试。`,
  },
  cancelled: {
    en: ({ who }) => `Call "${who}" was cancelled before it ran and wrote nothing. Retry it if it is still needed.`,
    zh: ({ who }) => `调用“${who}”在执行前已被取消，没有写入任何内容。如仍有需要，请重试。`,
  },
};

/** An outside path has no normalised form, so it is shown as it came. */
function askedPaths(input: LeaseInput): string {
  if (input.type === "spawn") return input.paths.map((path) => `"${path}"`).join(", ");
  return input.type === "request" && input.footprint.kind === "file" ? `"${input.footprint.path}"` : "";
}

function placeIn(language: Language, path: string): string {
  if (path === rootPath) return language === "zh" ? "整个工作区" : "the workspace";
  return language === "zh" ? `“${path}”` : `"${path}"`;
}
