/** The shape of a script in JSON. What the steps mean is told in `script.ts`. */
import * as z from "zod";

// Ids, causes and names end up in the names of deliveries.
const word = z
  .string()
  .min(1, "expected a name, found an empty string")
  .max(100)
  .regex(/^[^:#\n]+$/, 'expected a name without ":", "#" and line breaks');
const message = z.strictObject({
  id: word,
  lane: z.enum(["next-turn", "next-step"]),
  wake: z.boolean(),
  body: z.unknown().optional(),
});
const number = z.int().min(0);
const reason = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["completed", "max-tokens", "blocked", "failed", "interrupted"]) }),
  z.strictObject({ kind: z.literal("aborted"), cause: word }),
]);
const record = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("turn/start"), turn: number }),
  z.strictObject({ type: z.literal("turn/end"), turn: number, reason }),
]);
const decision = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("enter"), messages: z.array(message).max(100) }),
  z.strictObject({ kind: z.enum(["reject", "failed"]) }),
]);
const outcome = z.enum(["continue", "completed", "max-tokens", "failed"]);

const commands = [
  z.strictObject({ type: z.literal("send"), message }),
  z.strictObject({ type: z.literal("retract"), id: word }),
  z.strictObject({ type: z.literal("cancel"), cause: word, keepInbox: z.boolean() }),
  z.strictObject({ type: z.literal("dispose") }),
  z.strictObject({ type: z.literal("maintain"), activity: word }),
] as const;

const step = z.discriminatedUnion("type", [
  ...commands,
  z.strictObject({ type: z.literal("await"), name: z.literal("idle") }),
  z.strictObject({
    type: z.literal("inside"),
    at: z.enum(["turn/start", "turn/end", "claimed", "canceled", "running", "idle"]),
    do: z.discriminatedUnion("type", [...commands]),
  }),
  z.strictObject({
    type: z.literal("outside"),
    chunks: z.int().min(1).max(5).optional(),
    slow: z
      .array(z.enum(["notes", "turn-records", "proposals"]))
      .max(3)
      .optional(),
    mayFail: z
      .array(z.enum(["notes", "turn-records", "proposals", "steps"]))
      .max(4)
      .optional(),
    decides: z.boolean().optional(),
    hangs: z.boolean().optional(),
  }),
  z.strictObject({ type: z.literal("written"), record }),
  z.strictObject({ type: z.literal("write-failed"), record }),
  z.strictObject({ type: z.literal("proposed"), turn: number, step: number, decision }),
  z.strictObject({ type: z.literal("stepped"), turn: number, step: number, outcome }),
  z.strictObject({ type: z.literal("maintained"), activity: word }),
]);

export const scriptShape = z.array(step).max(100);
