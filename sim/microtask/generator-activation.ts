/** What drives the body of one async generator, and the queue of those who asked it for something. */
import { awaitNatively } from "./ambient.ts";
import { bodyNext, bodyReturn, bodyThrow } from "./body.ts";
import { awaitLabel, awaitValue, Continuation } from "./continuation.ts";
import type { Body } from "./lowered.ts";
import { delegates, returns, takeMarked, yields } from "./marks.ts";
import { fulfilled, rejected } from "./promise.ts";
import { liveHost } from "./queue.ts";
import { goesNext, goesReturn, goesThrow, type Request, type Resumption } from "./resumption.ts";

type State = "not started" | "at a yield" | "running" | "ended";
/** What it waits for: an await of the body, the value of a yield, that of a return(), or that of a return() at the end. */
type Purpose = "await" | "yield" | "return" | "end";

export class GeneratorActivation extends Continuation {
  readonly #body: Body;
  readonly #name: string;
  readonly #requests: Request[] = [];
  #state: State = "not started";
  #purpose: Purpose = "await";
  /** At a yield inside `yield*`: the iterator there is to hear how the generator is resumed. */
  #delegating = false;

  constructor(body: Body, name: string) {
    super();
    this.#body = body;
    this.#name = name;
  }

  get label(): string {
    return awaitLabel(this.#name);
  }

  settles(): readonly object[] {
    return this.#requests.map(({ answer }) => answer.promise);
  }

  ask(request: Request): void {
    if (this.#state === "not started" && request.kind === goesThrow) this.#state = "ended";
    this.#requests.push(request);
    if (this.#state === "ended") this.#answerEnded();
    else if (this.#state === "at a yield") this.#accept(request);
    else if (this.#state === "not started") this.#start(request);
  }

  resume(outcome: number, value: unknown): void {
    const kind = outcome === fulfilled ? goesNext : goesThrow;
    switch (this.#purpose) {
      case "await":
        this.#advance(kind, value);
        return;
      case "yield":
        if (kind === goesNext) this.#give(value);
        else this.#advance(kind, value);
        return;
      case "return":
        this.#receive(kind === goesNext ? goesReturn : goesThrow, value);
        return;
      case "end":
        this.#answer(kind, value);
        this.#answerEnded();
    }
  }

  #start(request: Request): void {
    if (request.kind === goesReturn) {
      this.#answerEnded();
      return;
    }
    this.#advance(goesNext, request.value);
  }

  /** Resumes at a yield. */
  #accept({ kind, value }: Resumption): void {
    this.#state = "running";
    if (kind === goesReturn) this.#await("return", value);
    else this.#receive(kind, value);
  }

  #receive(kind: number, value: unknown): void {
    if (!this.#delegating) {
      this.#advance(kind, value);
      return;
    }
    this.#delegating = false;
    const resumption: Resumption = { kind, value };
    this.#advance(goesNext, resumption);
  }

  /** Lets the body run until it awaits, yields or ends. */
  #advance(kind: number, value: unknown): void {
    this.#state = "running";
    for (;;) {
      let step: IteratorResult<unknown, unknown>;
      try {
        step = this.#step(kind, value);
      } catch (error) {
        this.#end(goesThrow, error);
        return;
      }
      if (step.done === true) {
        this.#end(goesNext, step.value);
        return;
      }
      if (step.value === returns) {
        kind = goesReturn;
        value = takeMarked();
        continue;
      }
      if (step.value === yields) this.#await("yield", takeMarked());
      else if (step.value === delegates) this.#delegate();
      else this.#await("await", step.value);
      return;
    }
  }

  #step(kind: number, value: unknown): IteratorResult<unknown, unknown> {
    if (kind === goesNext) return bodyNext.call(this.#body, value);
    return kind === goesThrow ? bodyThrow.call(this.#body, value) : bodyReturn.call(this.#body, value);
  }

  #delegate(): void {
    this.#delegating = true;
    this.#give(takeMarked());
  }

  /** Gives a value to the first who asked, and goes on with the next one if there is one. */
  #give(value: unknown): void {
    this.#requests.shift()?.answer.resolve({ value, done: false });
    const [next] = this.#requests;
    if (next === undefined) this.#state = "at a yield";
    else this.#accept(next);
  }

  #await(purpose: Purpose, value: unknown): void {
    this.#purpose = purpose;
    if (liveHost() === null) {
      void awaitNatively(this, value);
      return;
    }
    try {
      awaitValue(this, value);
    } catch (error) {
      this.resume(rejected, error);
    }
  }

  #end(kind: number, value: unknown): void {
    this.#answer(kind, value);
    this.#answerEnded();
  }

  #answer(kind: number, value: unknown): void {
    const answer = this.#requests.shift()?.answer;
    if (kind === goesThrow) answer?.reject(value);
    else answer?.resolve({ value, done: true });
  }

  /** Nothing of the body is left: answers those who wait, up to one whose return() has a value to be awaited. */
  #answerEnded(): void {
    this.#state = "running";
    for (let [next] = this.#requests; next !== undefined; [next] = this.#requests) {
      if (next.kind === goesReturn) {
        this.#await("end", next.value);
        return;
      }
      this.#answer(next.kind, next.kind === goesNext ? undefined : next.value);
    }
    this.#state = "ended";
  }
}
