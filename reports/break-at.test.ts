/** Where a reader is sent with a debugger, in whatever shape the code calls the world. Lines are found by their comments. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parksLateWakes } from "../properties/agent/scenarios.ts";
import { explore } from "../repro/explore.ts";
import { replay } from "../repro/replay.ts";
import { type Scenario, scenario, type World } from "../sim/scenario.ts";
import { renderExplore, renderReplay } from "./console.ts";

const options = { color: false, full: false, replayArguments: null, command: "npx microloom" };
const source = readFileSync(import.meta.filename, "utf8").split("\n");

/** Sells what it has asked for, as if nobody could have closed it meanwhile. */
class Shop {
  open = true;
  wrong = 0;
  readonly #ask: (world: World) => Promise<number>;
  readonly #world: World;

  constructor(world: World, ask: (world: World) => Promise<number>) {
    this.#world = world;
    this.#ask = ask;
  }

  read(): Promise<number> {
    return this.#world.io("read", () => 1);
  }

  async sellDirectly(): Promise<void> {
    const goods = await this.#world.io("read", () => 1); // direct
    this.#sell(goods);
  }

  async sellOnTwoLines(): Promise<void> {
    const goods = // two lines
      await this.#world.io("read", () => 1); // on a line of its own
    this.#sell(goods);
  }

  async sellOfAll(): Promise<void> {
    const [goods = 0] = await Promise.all([this.#world.io("read", () => 1)]); // of all
    this.#sell(goods);
  }

  async sellLater(): Promise<void> {
    const asked = this.#world.io("read", () => 1); // issued
    this.#sell(await asked);
  }

  sellThen(): void {
    this.#world.io("read", () => 1).then((goods) => this.#sell(goods)); // then
  }

  async sellByMethod(): Promise<void> {
    this.#sell(await this.read()); // by a method
  }

  async sellByPort(): Promise<void> {
    const goods = await this.#ask(this.#world); // by a port
    this.#sell(goods);
  }

  async acquire(): Promise<number> {
    return await this.#ask(this.#world); // acquires
  }

  fetch(): Promise<number> {
    return this.#ask(this.#world); // fetches
  }

  async sellAcquired(): Promise<void> {
    this.#sell(await this.acquire());
  }

  async sellFetched(): Promise<void> {
    this.#sell(await this.fetch());
  }

  async sellAfterSleep(): Promise<void> {
    await sleep(); // asleep
    this.#sell(1);
  }

  #sell(goods: number): void {
    if (!this.open) this.wrong += goods;
  }
}

type Reading = { read(): Promise<number> };
const cachedBy = (db: Reading): Reading => ({ read: () => db.read() });
const noPort = (): Promise<number> => Promise.resolve(0);
const sleep = () => new Promise<void>((resolve) => setTimeout(resolve, 5));

/** A user closes the shop while it sells. */
function shop(sell: (shop: Shop) => unknown, ask: (world: World) => Promise<number> = noPort): Scenario {
  return scenario("shop", (world) => {
    const shop = new Shop(world, ask);
    world.actor("ada", () => sell(shop)); // the actor's lambda
    closing(world, shop);
  });
}

function closing(world: World, shop: { open: boolean; wrong: number }): void {
  world.events("user", [
    ["look", () => undefined],
    [
      "close",
      () => {
        shop.open = false;
      },
    ],
  ]);
  world.atQuiescence("a closed shop sells nothing", () => shop.wrong === 0); // the condition
}

describe("Break at names the line that waits for the delivery", () => {
  const shapes: readonly (readonly [string, Scenario, string])[] = [
    ["where the class calls the world itself", shop((each) => each.sellDirectly()), "direct"],
    ["where that is on a line of its own", shop((each) => each.sellOnTwoLines()), "on a line of its own"],
    ["where it waits for several at once", shop((each) => each.sellOfAll()), "of all"],
    ["where it waits for it later", shop((each) => each.sellLater()), "issued"],
    ["where it goes on with then()", shop((each) => each.sellThen()), "then"],
    ["where a method of it hands on the promise", shop((each) => each.sellByMethod()), "by a method"],
    ["where it sleeps", shop((each) => each.sellAfterSleep()), "asleep"],
    [
      "behind a port that is an arrow",
      shop(
        (each) => each.sellByPort(),
        (w) => w.io("read", () => 1),
      ),
      "by a port",
    ],
    [
      "behind a port that returns",
      shop(
        (each) => each.sellByPort(),
        (world) => {
          return world.io("read", () => 1);
        },
      ),
      "by a port",
    ],
    [
      "behind a port that awaits only to return",
      shop(
        (each) => each.sellByPort(),
        async (world) => await world.io("read", () => 1),
      ),
      "by a port",
    ],
    [
      "behind ports in layers",
      shop(
        (each) => each.sellByPort(),
        (world, cached = cachedBy({ read: () => world.io("read", () => 1) })) => cached.read(),
      ),
      "by a port",
    ],
    [
      "where a method awaits a port only to return",
      shop(
        (each) => each.sellAcquired(),
        (world) => world.io("read", () => 1),
      ),
      "acquires",
    ],
    [
      "where a method returns what a port gives",
      shop(
        (each) => each.sellFetched(),
        (world) => world.io("read", () => 1),
      ),
      "fetches",
    ],
    [
      "in an actor's body",
      scenario("body", (world) => {
        const shop = { open: true, wrong: 0 };
        world.actor("ada", async () => {
          await world.io("read", () => 1); // in the body
          if (!shop.open) shop.wrong++;
        });
        closing(world, shop);
      }),
      "in the body",
    ],
  ];
  test.each(shapes)("%s", async (_shape, subject, line) => {
    const result = await explore(subject);
    if (result.outcome !== "violated") throw new Error(`${subject.name} ${result.outcome}`);
    expect(marks(renderExplore("x", result, options))).toEqual([line, "the condition"]);
    // And so does a replay, which knows no passing side.
    const again = await replay(subject, result.repro);
    expect(marks(renderReplay("x", result.repro, again, options))).toEqual([line, "the condition"]);
  });

  test("behind the kit's own ports, which are ours and not to be debugged", async () => {
    const result = await explore(parksLateWakes);
    if (result.outcome !== "violated") throw new Error(result.outcome);
    const places = breaks(renderExplore("x", result, options)).map((line) => line.trim().split(":")[0]);
    expect(places).toEqual([expect.stringMatching(/^properties\/agent\/subjects\//)]);
  });
});

describe("a failure without any ordering", () => {
  const failing = scenario("a fault alone", (world) => {
    let lost = 0;
    world.actor("ada", async () => {
      await world.io("save", () => undefined, { mayFail: true }).catch(() => lost++); // saves
    });
    world.atQuiescence("nothing is lost", () => lost === 0); // the condition
  });
  const hanging = scenario("a hang alone", (world) => {
    let saved = 0;
    void world.io("disk:save", () => saved++, { mayHang: true }); // saves
    world.atQuiescence("all is saved", () => saved === 1); // the condition
  });
  const choosing = scenario("a choice alone", (world) => {
    const coin = () => world.choose("coin", ["heads", "tails"]); // tosses
    const seen = [coin(), coin(), world.choose("plan", [{ kind: "free" }, { kind: "paid" }])]; // chooses a plan
    world.atQuiescence("no two tails of a paid plan", () => {
      return seen.filter((each) => each === "tails" || JSON.stringify(each).includes("paid")).length < 3;
    }); // unmarked
  });

  test("by a fault says which delivery failed with what, and where that is asked for", async () => {
    const told = await both(failing);
    for (const lines of told) {
      expect(lines).toContain('    1. "save" (ada) failed with "ada:save#1 was made to fail".');
      expect(marks(lines)).toEqual(["saves", "the condition"]);
      expect(lines.join("\n")).toContain('where "save" (ada), which failed, is asked for');
    }
  });

  test("by a hang says what never settled, and where that is asked for", async () => {
    for (const lines of await both(hanging)) {
      expect(lines).toContain('    1. "save" (disk) never settled.');
      expect(marks(lines)).toEqual(["saves", "the condition"]);
    }
  });

  test("by choices says which came out as what, and where they are made", async () => {
    for (const lines of await both(choosing)) {
      expect(lines.filter((line) => line.includes("came out"))).toEqual([
        '    1. The choice "coin" came out as "tails", its second option.',
        '    2. The second choice "coin" came out as "tails", its second option.',
        '    3. The choice "plan" came out as {"kind":"paid"}, its second option.',
      ]);
      expect(marks(lines).slice(0, 2)).toEqual(["tosses", "chooses a plan"]);
      expect(lines.join("\n")).toContain('where the choice "coin" is made');
    }
  });
});

/** What explore and replay say of it. */
async function both(subject: Scenario): Promise<readonly (readonly string[])[]> {
  const result = await explore(subject);
  if (result.outcome !== "violated") throw new Error(`${subject.name} ${result.outcome}`);
  expect(result.repro.orderings).toEqual([]);
  const again = await replay(subject, result.repro);
  return [renderExplore("x", result, options), renderReplay("x", result.repro, again, options)];
}

function breaks(lines: readonly string[]): string[] {
  const from = lines.indexOf("  Break at:") + 1;
  expect(from).toBeGreaterThan(0);
  const rest = lines.slice(from);
  const end = rest.findIndex((line) => !line.startsWith("    "));
  return end < 0 ? rest : rest.slice(0, end);
}

/** The comments at the lines under "Break at". */
function marks(lines: readonly string[]): string[] {
  return breaks(lines).map((line) => {
    const [, file, row] = /^ {4}(\S+?):(\d+):\d+ /.exec(line) ?? [];
    expect(file).toBe("reports/break-at.test.ts");
    return /\/\/ (.*)$/.exec(source[Number(row) - 1] ?? "")?.[1] ?? `${row}: ${source[Number(row) - 1]}`;
  });
}
