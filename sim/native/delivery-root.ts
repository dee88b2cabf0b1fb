import type { WaitRoot } from "../result.ts";
import type { Delivery } from "./delivery.ts";

/** Why a delivery has not settled the promise that the world gave out for it; null: it has come. */
export function rootOf(delivery: Delivery, hung: ReadonlySet<Delivery>, open: ReadonlySet<string>): WaitRoot | null {
  if (hung.has(delivery)) return { kind: "hung", delivery: delivery.name };
  if (open.has(delivery.name)) return { kind: "open", delivery: delivery.name };
  return delivery.timer?.cancelled === true ? { kind: "cancelled", delivery: delivery.name } : null;
}
