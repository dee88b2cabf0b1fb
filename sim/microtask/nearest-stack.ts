import { type Stack, userFrames } from "../stack.ts";

/** What one promise does to another is nobody's line: then it is the line of whoever registered the job that did it. */
export class NearestStack implements Stack {
  readonly #own: Stack;
  readonly #before: Stack;

  constructor(own: Stack, before: Stack) {
    this.#own = own;
    this.#before = before;
  }

  get stack(): string | undefined {
    const { stack } = this.#own;
    return stack === undefined || userFrames(stack).length === 0 ? this.#before.stack : stack;
  }
}
