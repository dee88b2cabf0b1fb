/**
 * An ordinary agent with a defect: a message that is sent while a stopped turn is torn down is never answered. And what
 * people do to such a class after a repro of it was kept: each edit is a branch of its own, so that a test can name it.
 */
import { type Scenario, scenario, type World } from "../../sim/scenario.ts";

export type AgentEdit =
  | "none"
  | "a second model call before the first"
  | "one I/O split in two"
  | "a retry loop"
  | "two reads made concurrent"
  | "a new timer"
  | "a new actor"
  | "a cache in front"
  | "an await added"
  | "a helper extracted"
  | "a label renamed"
  | "a label renamed that the repro does not name";

/** What the agent asks of the world; each answer is a delivery. */
type Outside = {
  readonly read: (what: string) => Promise<"busy" | "done">;
  readonly lookUp: (what: string) => Promise<unknown>;
  readonly connect: () => Promise<unknown>;
  readonly model: () => Promise<unknown>;
  readonly chunk: () => Promise<unknown>;
  readonly tool: () => Promise<unknown>;
  readonly append: () => Promise<unknown>;
  readonly teardown: () => Promise<unknown>;
};

const chunksOfAnAnswer = 2;

export class Agent {
  readonly inbox: string[] = [];
  readonly #outside: Outside;
  readonly #edit: AgentEdit;
  readonly #fixed: boolean;
  #driving = false;
  /** Of the answer that streams; there is nothing to stop otherwise. */
  #abort: AbortController | null = null;

  constructor(outside: Outside, edit: AgentEdit, fixed: boolean) {
    this.#outside = outside;
    this.#edit = edit;
    this.#fixed = fixed;
  }

  send(message: string): void {
    this.inbox.push(message);
    if (!this.#driving) void this.#drive();
  }

  stop(): void {
    this.#abort?.abort();
  }

  /** Says hello, and then answers what has come in the meantime. */
  async start(): Promise<void> {
    this.#driving = true;
    await this.#outside.model();
    await this.#outside.chunk();
    await this.#outside.append();
    await this.#drive();
  }

  async #drive(): Promise<void> {
    this.#driving = true;
    try {
      while (this.inbox.length > 0) {
        this.inbox.shift();
        if (await this.#turn()) continue;
        await this.#outside.teardown();
        // The defect: what was sent while that was awaited is left where it is.
        if (!this.#fixed) return;
      }
    } finally {
      this.#driving = false;
    }
  }

  /** One turn; false when it was stopped. */
  async #turn(): Promise<boolean> {
    await this.#readAll();
    if (this.#edit === "a second model call before the first") await this.#choosesTools();
    if (this.#edit === "an await added") await undefined;
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    if (this.#edit === "a helper extracted") await this.#stream(signal);
    else {
      await this.#open();
      for (let chunk = 1; chunk <= chunksOfAnAnswer && !signal.aborted; chunk++) await this.#outside.chunk();
    }
    this.#abort = null;
    if (signal.aborted) return false;
    await this.#outside.tool();
    await this.#outside.append();
    return true;
  }

  async #stream(signal: AbortSignal): Promise<void> {
    await this.#open();
    for (let chunk = 1; chunk <= chunksOfAnAnswer && !signal.aborted; chunk++) await this.#outside.chunk();
  }

  /** Which tools the answer may need: an answer of one chunk, which nobody can stop. */
  async #choosesTools(): Promise<void> {
    await this.#outside.model();
    await this.#outside.chunk();
  }

  async #open(): Promise<void> {
    if (this.#edit === "one I/O split in two") await this.#outside.connect();
    if (this.#edit !== "a new timer") {
      await this.#outside.model();
      return;
    }
    const late = setTimeout(() => this.stop(), 60_000);
    await this.#outside.model();
    clearTimeout(late);
  }

  async #readAll(): Promise<void> {
    const { read, lookUp } = this.#outside;
    switch (this.#edit) {
      case "two reads made concurrent":
        await Promise.all([read("history"), read("settings")]);
        return;
      case "a retry loop":
        for (let attempt = 1; attempt <= 3; attempt++) if ((await read("history")) === "done") break;
        break;
      case "a cache in front":
        await lookUp("history");
        await read("history");
        break;
      default:
        await read("history");
    }
    await read("settings");
  }
}

/** The agent in its world. The scenario keeps its name after each edit, as it does in a reader's project. */
export function agentScenario(edit: AgentEdit, { fixed = false } = {}): Scenario {
  return scenario("an agent answers what it is sent", (world) => {
    const agent = new Agent(outsideOf(world, edit), edit, fixed);
    world.actor("agent", () => agent.start());
    world.events("user", [
      ["send a", () => agent.send("a")],
      ["stop", () => agent.stop()],
      ["send b", () => agent.send("b")],
    ]);
    if (edit === "a new actor") world.actor("janitor", () => world.delay("janitor:sweep"));
    world.atQuiescence("no message lies in the inbox", () => {
      return agent.inbox.length === 0 || `the inbox still holds ${agent.inbox.join(", ")}`;
    });
  });
}

function outsideOf(world: World, edit: AgentEdit): Outside {
  const model = edit === "a label renamed" ? "agent:llm" : "agent:model";
  const chunk = edit === "a label renamed that the repro does not name" ? "agent:piece" : "agent:chunk";
  let tries = 0;
  return {
    read: (what) => world.io(`storage:read ${what}`, () => (++tries % 2 === 1 ? "busy" : "done")),
    lookUp: (what) => world.io(`cache:look up ${what}`, () => undefined),
    connect: () => world.io("agent:connect", () => undefined),
    model: () => world.io(model, () => "an answer begins"),
    chunk: () => world.io(chunk, () => "words"),
    tool: () => world.io("agent:tool", () => undefined),
    append: () => world.io("storage:append", () => undefined),
    teardown: () => world.delay("agent:teardown"),
  };
}
