/**
 * The context in which Node itself runs. Jest and Vitest's vmThreads load this package, and the code under test, into a vm
 * context with a global object of its own; under Jest `process` is a copy there, even the one of node:process, and Node
 * tells it of nothing. What belongs to the whole process is reached from here.
 */
import { Script } from "node:vm";

/** Node's own global object, whichever context this file was loaded into. */
export const hostGlobal: typeof globalThis = new Script("globalThis").runInThisContext();
/** Node's own process: the one that is told of uncaught errors, and whose environment is the process's. */
export const hostProcess: NodeJS.Process = hostGlobal.process;
