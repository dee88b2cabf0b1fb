import { describe, expect, test } from "vitest";
import { Planted } from "./planted.ts";
import { afterDispose, threw, unsettled } from "./problems.ts";
import { presets } from "./script.ts";

const dispose = { type: "dispose" } as const;

/** An agent at rest, of which somebody disposes from inside a call; that call `returned` or has not yet. */
function disposedInside(...then: readonly "returned"[]): Planted {
  const history = Planted.history().send("a").running().idle();
  const call = history.add({ type: "command", command: dispose, inside: true });
  history.sees({ type: "settled", call, ok: true });
  for (const type of then) history.sees({ type, call });
  return history.running();
}

describe("afterDispose", () => {
  test("is about what an agent asks for when it has been disposed of and is at rest", () => {
    const disposed = () => Planted.history().send("a").running().idle().command(dispose);
    expect(afterDispose.violation(disposed())).toBeUndefined();
    expect(afterDispose.violation(disposed().running())).toContain("was over");
  });

  test("leaves alone what was decided before a disposal from inside, and no more", () => {
    expect(afterDispose.violation(disposedInside())).toBeUndefined();
    expect(afterDispose.violation(disposedInside("returned"))).toContain("was over");
  });
});

test("threw is about commands that must be taken", () => {
  const refused = (type: "send" | "maintain") => {
    const history = Planted.history();
    const command =
      type === "send"
        ? ({ type, message: { id: "a", ...presets.followUp } } as const)
        : ({ type, activity: "compact" } as const);
    const call = history.add({ type: "command", command });
    return history.sees({ type: "settled", call, ok: false, error: "Error: boom" });
  };
  expect(threw.violation(refused("send"))).toContain("was answered with an error: Error: boom");
  expect(threw.violation(refused("maintain"))).toBeUndefined();
});

test("unsettled waits for nobody while a call of a port is open", () => {
  const open = Planted.history();
  open.add({ type: "command", command: { type: "cancel", cause: "stop", keepInbox: true } });
  expect(unsettled.violation(open)).toContain("has not settled");
  open.running().asksStart(1);
  expect(unsettled.violation(open)).toBeUndefined();
});
