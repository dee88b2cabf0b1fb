/**
 * What a model reads when its call did not run: what was refused, the path, who holds it, what to do next.
 * A holder is named by its id. "Another task" told nobody anything, and was wrong for sibling calls.
 */

import { id, inputShape } from "../lease/input.ts";
import { normalisePath, outside, rootPath } from "../lease/path.ts";
import type { LeaseEffect, LeaseInput, LeaseRefusal } from "../lease/state.ts";
import { check, oneOf } from "../shape.ts";

/** An effect that ends a call or child, or turns one away. */
export type EndedEffect = Extract<LeaseEffect, { readonly type: "refused" | "expired" | "fenced" | "cancelled" }>;
export type Language = "en" | "zh";

/** `who` is the call or child it is about, `what` says that it was turned away, `asked` are its paths that lie outside. */
type Refused = { who: string; what: string; path: string; holder: string; owner: string; asked: string };
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
  const what = kinds[language](who, "child" in input);
  const asked = askedPaths(language, input);
  return refusals[reason][language]({ who, what, path: placeIn(language, path), holder, owner, asked });
}

const refusals: Readonly<Record<LeaseRefusal, Texts<Refused>>> = {
  "duplicate-call": {
    en: ({ who }) =>
      `Call "${who}" did not run: the id "${who}" is already taken by an earlier call or a subagent. Make the call again; it needs a new id.`,
    zh: ({ who }) =>
      `调用“${who}”没有执行：编号“${who}”已被先前的调用或某个子代理占用。请重新发起调用，并使用新的编号。`,
  },
  "duplicate-child": {
    en: ({ who }) => `Subagent "${who}" was not started: this id is in use. Spawn it again under a new id.`,
    zh: ({ who }) => `子代理“${who}”未启动：该编号正在使用。请换一个新的编号重新创建。`,
  },
  "owner-closed": {
    en: ({ what, owner }) =>
      `${what}: run "${owner}" has been closed and takes no more work. Stop here; what is left needs a new run.`,
    zh: ({ what, owner }) =>
      `${what}：运行“${owner}”已经关闭，不再接受新的工作。请就此停止；剩余工作需要在新的运行中进行。`,
  },
  "outside-workspace": {
    en: ({ what, asked }) =>
      `${what}: not inside the workspace: ${asked}. Use paths relative to the workspace root that do not lead above it.`,
    zh: ({ what, asked }) => `${what}：以下路径不在工作区内：${asked}。请使用相对于工作区根目录且不越出根目录的路径。`,
  },
  "child-writing": {
    en: ({ who, path, holder }) =>
      `Call "${who}" was refused: it cannot write ${path} while subagent "${holder}" holds files that overlap it. Wait for "${holder}" to finish (wait_agent, if it is yours) and retry, or write a different file instead.`,
    zh: ({ who, path, holder }) =>
      `调用“${who}”被拒绝：子代理“${holder}”占用着与${path}重叠的文件，在它结束之前不能写入。请等待“${holder}”结束（若它是你创建的，请用 wait_agent）后重试，或改为写入另一个文件。`,
  },
  denied: {
    en: ({ who }) =>
      `Call "${who}" did not run: it needs approval and did not get it (it was declined, or the approval failed). Do not repeat it unchanged; ask the user or take another way.`,
    zh: ({ who }) =>
      `调用“${who}”没有执行：它需要批准，但未获批准（被拒绝，或批准过程出错）。请不要原样重试；请询问用户，或换一种做法。`,
  },
  // Whose call the holder is, nobody says here: one workspace may have several runs.
  "root-busy": {
    en: ({ who, path, holder }) =>
      `Call "${who}" was refused: call "${holder}" is still running and may write ${path}. Retry when "${holder}" has ended, or do something that does not touch ${path}.`,
    zh: ({ who, path, holder }) =>
      `调用“${who}”被拒绝：调用“${holder}”仍在运行，可能写入${path}。请等“${holder}”结束后重试，或做不涉及${path}的事情。`,
  },
  "no-paths": {
    en: ({ who }) =>
      `Subagent "${who}" was not started: it declared no files. Spawn it again with the files it will write.`,
    zh: ({ who }) => `子代理“${who}”未启动：没有声明任何文件。请声明它要写入的文件后重新创建。`,
  },
  "child-conflict": {
    en: ({ who, path, holder }) =>
      `Subagent "${who}" was not started: subagent "${holder}" holds files that overlap ${path} until it finishes. Wait for "${holder}" (wait_agent, if it is yours) and spawn again, or declare files that do not overlap.`,
    zh: ({ who, path, holder }) =>
      `子代理“${who}”未启动：子代理“${holder}”占用着与${path}重叠的文件，直到它结束。请等待“${holder}”结束（若它是你创建的，请用 wait_agent）后重新创建，或声明不重叠的文件。`,
  },
  "root-writing": {
    en: ({ who, path, holder }) =>
      `Subagent "${who}" was not started: call "${holder}" writes, or is about to write, a file that overlaps ${path}. Retry when "${holder}" has ended, or declare files that do not overlap it.`,
    zh: ({ who, path, holder }) =>
      `子代理“${who}”未启动：调用“${holder}”正在或即将写入与${path}重叠的文件。请等“${holder}”结束后重试，或声明与之不重叠的文件。`,
  },
};

const endings: Readonly<Record<Exclude<EndedEffect["type"], "refused">, Texts<Ended>>> = {
  // Who held it is not told, and whether it was still to be approved: the effect does not say.
  expired: {
    en: ({ who, path }) =>
      `Call "${who}" ran out of time before it could start, waiting for its approval or for ${path}; it did not run. Retry it once; if that happens again, tell the user or do something else.`,
    zh: ({ who, path }) =>
      `调用“${who}”在开始之前超时（等待批准，或等待${path}空出），没有执行。请重试一次；如果再次超时，请告知用户或改做其他事情。`,
  },
  fenced: {
    en: ({ who, child }) =>
      `${child ? "Subagent" : "Call"} "${who}" may no longer write: its run was closed and it did not stop in time. Files it was writing may be incomplete; check them, and redo the work in a new run if it is still needed.`,
    zh: ({ who, child }) =>
      `${child ? "子代理" : "调用"}“${who}”不得再写入：它所属的运行已关闭，而它没有及时停止。它正在写入的文件可能不完整；请检查，如仍有需要，请在新的运行中重做。`,
  },
  cancelled: {
    en: ({ who }) =>
      `Call "${who}" was cancelled before it ran: it was aborted, or its run was closed. It wrote nothing. Do not retry it unless the user still wants it; if the run was closed, that takes a new run.`,
    zh: ({ who }) =>
      `调用“${who}”在执行前已被取消：它被中止，或其所属运行已关闭。它没有写入任何内容。除非用户仍然需要，否则不要重试；如果运行已关闭，则需在新的运行中进行。`,
  },
};

const kinds: Readonly<Record<Language, (who: string, child: boolean) => string>> = {
  en: (who, child) => (child ? `Subagent "${who}" was not started` : `Call "${who}" was refused`),
  zh: (who, child) => (child ? `子代理“${who}”未启动` : `调用“${who}”被拒绝`),
};

/** Those that lie outside. Such a path has no normalised form, so it is shown as it came. */
function askedPaths(language: Language, input: LeaseInput): string {
  const file = input.type === "request" && input.footprint.kind === "file" ? [input.footprint.path] : [];
  const asked = input.type === "spawn" ? input.paths : file;
  const left = asked.filter((path) => normalisePath(path) === outside);
  return left.map((path) => placeIn(language, path)).join(language === "zh" ? "、" : ", ");
}

function placeIn(language: Language, path: string): string {
  if (path === rootPath) return language === "zh" ? "整个工作区" : "the workspace";
  return language === "zh" ? `“${path}”` : `"${path}"`;
}
