/** Rejections without a handler, in the order they happened: Node asks again when both queues are empty. */
import type { OwnPromise } from "./promise.ts";

let noticed: OwnPromise[] = [];

export function noticeRejection(promise: OwnPromise): void {
  noticed.push(promise);
}

export function takeRejections(): readonly OwnPromise[] {
  const taken = noticed;
  if (taken.length > 0) noticed = [];
  return taken;
}

export function forgetRejections(): void {
  if (noticed.length > 0) noticed = [];
}
