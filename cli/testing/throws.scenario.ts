import { scenario } from "microloom";

/** Fails with an error whose words are V8's and that carries a stack, in one order of its deliveries. */
export const throws = scenario("the answer comes before the session is closed", (world) => {
  const sessions = new Map([["a", "{}"]]);
  world.actor("request", async () => {
    await world.io("answer", () => "an answer");
    world.note("answered", JSON.parse(sessions.get("a") ?? "{ no session"));
  });
  world.events("user", [["close", () => sessions.delete("a")]]);
});
