import { scenario } from "microloom";

// Taken at import, the way many libraries do: nobody can replace it afterwards.
const { setTimeout } = globalThis;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch {
    await sleep(1_000);
    return attempt();
  }
}

export const backoff = scenario("a failed request is tried again", (world) => {
  world.actor("client", () => withRetries(() => world.io("server:answer", () => "ok", { mayFail: true })));
});
