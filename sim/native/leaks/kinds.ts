/**
 * What can escape from the scheduler, by the name that Node's async_hooks give to its resource, and what to use instead.
 * The texts stand in results, so they speak to the author of the code under test.
 */

export type LeakKind = keyof typeof remedies;

const throughIo = "let the code under test ask for it through a port, and answer with world.io(label, () => result)";
const onNative = 'explore it on the engine "native"';

/** Kind of leak → how to write it so that microloom decides when it comes. */
export const remedies = {
  timer:
    'call the global setTimeout, setInterval or setImmediate when it is needed; one that was kept since before the scenario ran is the real one (under Jest and in Vitest\'s vm pools, add "microloom/setup" to setupFiles)',
  "file I/O": throughIo,
  "network I/O": throughIo,
  "child process": throughIo,
  "worker thread": "run what the worker does in place, behind world.io(label, () => result)",
  "message port": "deliver each message by a step of world.events() or by world.io(label, () => message)",
  compression: "use the Sync function of node:zlib, or world.io(label, () => result)",
  cryptography: "use the Sync function of node:crypto, or world.io(label, () => result)",
  "dynamic import": "import the module before the scenario runs",
  WebAssembly: "compile the module before the scenario runs",
  "shared memory": "run what the other thread does in place, behind world.io(label, () => result)",
  "weak reference": "hold the object itself; when it is collected is the decision of no schedule",
  "finalization callback":
    "call the clean-up where the object is given up; when it is collected is the decision of no schedule",
  "foreign promise": "make the promise inside the scenario's body",
  "native resource": throughIo,
  "untransformed async code": `load what this line belongs to through microloom/vite or node --import microloom/loader, a dependency, too; or ${onNative}`,
  "kept Promise":
    "use the global Promise when it is needed; one that was kept since before the scenario ran makes native promises",
  "evaluated async code": `write in a file what eval() or new Function() makes here, so that it is lowered; or ${onNative}`,
  "Array.fromAsync": "gather the values with for await in a file that is lowered",
  "web stream": `its promises are Node's own; use an async generator, or ${onNative}`,
  "promise made by Node": `${throughIo}; or ${onNative}`,
} as const;

/** Whatever is asked of Node makes such promises as well. */
const promiseKinds: ReadonlySet<LeakKind> = new Set<LeakKind>([
  "untransformed async code",
  "kept Promise",
  "evaluated async code",
  "web stream",
  "promise made by Node",
]);

/** Resources that exist without waiting for anything: a handle that somebody may use, or not. */
const harmless = new Set([
  "PROMISE",
  "DIRHANDLE",
  "SIGNALWRAP",
  "HTTPINCOMINGMESSAGE",
  "INSPECTORJSBINDING",
  "ELDHISTOGRAM",
]);

/** By how a type begins; the first that fits counts. */
const beginnings: readonly (readonly [string, LeakKind])[] = [
  ["FS", "file I/O"],
  ["FILEHANDLE", "file I/O"],
  ["STATWATCHER", "file I/O"],
  ["BLOBREADER", "file I/O"],
  ["PROCESSWRAP", "child process"],
  ["WORKER", "worker thread"],
  ["MESSAGEPORT", "message port"],
  ["ZLIB", "compression"],
  ["HTTP", "network I/O"],
  ["TCP", "network I/O"],
  ["TLS", "network I/O"],
  ["UDP", "network I/O"],
  ["PIPE", "network I/O"],
  ["GETADDRINFO", "network I/O"],
  ["GETNAMEINFO", "network I/O"],
  ["QUERYWRAP", "network I/O"],
  ["SHUTDOWNWRAP", "network I/O"],
  ["WRITEWRAP", "network I/O"],
  ["QUIC", "network I/O"],
];

/** Tells what kind of leak a resource of this type is; null when it is none. `provided` says that Node itself makes such resources. */
export function kindOf(type: string, provided: boolean): LeakKind | null {
  if (type === "Timeout" || type === "Immediate") return "timer";
  // Whoever makes an AsyncResource of their own waits for nothing by it.
  if (!provided || harmless.has(type)) return null;
  for (const [beginning, kind] of beginnings) if (type.startsWith(beginning)) return kind;
  return type.endsWith("REQUEST") ? "cryptography" : "native resource";
}

/**
 * What a native promise is, by the stack it was made in, where every promise should be ours: first what is built in, then
 * functions of Node's own, then the line that called them.
 */
export function nativePromiseKind(stack: string): LeakKind {
  const lines = stack.split("\n").filter((line) => /^\s+at /.test(line) && !line.includes("node:internal/async_hooks"));
  const made = lines.findIndex((line) => !ofNode.test(line));
  const within = made < 0 ? lines : lines.slice(0, made);
  const builtIn = within[0] ?? "";
  if (/^\s+at Array\.fromAsync /.test(within.at(-1) ?? "")) return "Array.fromAsync";
  if (within.some((line) => line.includes("node:internal/webstreams/"))) return "web stream";
  if (within.some((line) => line.includes("node:"))) return "promise made by Node";
  if (/\(eval at /.test(lines[made] ?? "")) return "evaluated async code";
  // Of a native promise, which must have been there before.
  if (/ at Promise\.then /.test(builtIn)) return "foreign promise";
  return / at (?:new Promise|Promise\.\w+|Function\.\w+) /.test(builtIn) ? "kept Promise" : "untransformed async code";
}

/** A function of Node's own, or what is built in. */
const ofNode = /\(<anonymous>\)$|\(node:|at node:/;

/**
 * Of several leaks at one place the more telling one is reported: a request arms timers, a worker opens a port, a child
 * process opens pipes.
 */
export function tellsMore(kind: LeakKind, than: LeakKind): boolean {
  return rank(kind) > rank(than);
}

function rank(kind: LeakKind): number {
  if (promiseKinds.has(kind)) return -1;
  if (kind === "timer" || kind === "foreign promise") return 0;
  return kind === "message port" || kind === "network I/O" ? 1 : 2;
}
