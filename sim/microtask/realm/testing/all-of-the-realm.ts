/** A scenario's body, as text, that uses all that the realm puts in place. */
import type { World } from "../../../scenario.ts";

export type Program = (world: World) => Promise<void>;

export const text = `return async (world) => {
    const { AsyncLocalStorage, AsyncResource } = process.getBuiltinModule("node:async_hooks");
    const { EventEmitter, once, on } = process.getBuiltinModule("node:events");
    const { promisify, callbackify, aborted } = process.getBuiltinModule("node:util");
    const { setTimeout: sleep, setImmediate: now, setInterval: every, scheduler } = process.getBuiltinModule("node:timers/promises");
    const storage = new AsyncLocalStorage();
    const note = (what, value) => world.note(what, [value, storage.getStore() ?? null, world.nowMs]);
    const emitter = new EventEmitter();
    const controller = new AbortController();

    world.actor("stores", () => storage.run("a", async () => {
      await world.io("disk:read", () => 1);
      note("read", 1);
      process.nextTick(() => note("tick", 2));
      queueMicrotask(() => note("job", 3));
      setTimeout(() => note("timer", 4), 5);
      setImmediate(() => note("immediate", 5));
      const bound = AsyncResource.bind(() => note("bound", 6));
      storage.exit(() => bound());
      await storage.run("b", () => sleep(10));
      note("slept", 7);
    }));
    world.actor("events", async () => {
      note("once", await once(emitter, "go"));
      for await (const [value] of on(emitter, "go", { close: ["end"] })) note("on", value);
      await aborted(controller.signal, emitter);
      note("aborted", controller.signal.reason);
    });
    world.actor("timers", async () => {
      let fired = 0;
      try { for await (const value of every(3, "v", { signal: controller.signal })) {
        note("interval", value);
        emitter.emit("go", ++fired);
        if (fired === 3) emitter.emit("end");
        if (fired === 4) controller.abort("enough");
      } } catch (error) { note("stopped", [error.name, error.cause]); }
    });
    world.actor("functions", async () => {
      const answer = promisify((value, callback) => setTimeout(callback, 2, null, value));
      note("answer", await answer("x"));
      note("timeout", await promisify(setTimeout)(1, "t"));
      await new Promise((resolve) => callbackify(async () => "y")((_, value) => { note("called back", value); resolve(); }));
      note("now", await now("n"));
      await scheduler.wait(1);
      note("waited", 8);
    });
  };`;
