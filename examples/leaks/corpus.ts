/**
 * One of each kind of thing that no scheduler can hold, as it stands in the code of applications: real I/O and real
 * timers, deep inside a library or taken before anybody could replace them. microloom must name the marked line.
 */
import { exec, fork, spawn } from "node:child_process";
import { createHmac, generateKeyPair, pbkdf2, randomBytes, scrypt, webcrypto } from "node:crypto";
import { createSocket } from "node:dgram";
import { lookup } from "node:dns";
import { resolve4 } from "node:dns/promises";
import { createReadStream, createWriteStream, readFile, stat, watch, watchFile } from "node:fs";
import { open, readdir, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { connect, createServer } from "node:net";
import { pipeline } from "node:stream/promises";
import { connect as connectTls } from "node:tls";
import { BroadcastChannel, MessageChannel as NodeMessageChannel, Worker } from "node:worker_threads";
import { createBrotliCompress, createGzip, deflate, gzip } from "node:zlib";

const nothing = (): void => undefined;
/** Nobody listens: what is started here fails, and that is of no interest. */
const ignored = <T extends { on(event: "error", listener: () => void): unknown }>(emitter: T): T => {
  emitter.on("error", nothing);
  return emitter;
};
const here = import.meta.filename;
// The way libraries keep what they need: taken once, at import.
const {
  setTimeout: keptTimeout,
  setInterval: keptInterval,
  setImmediate: keptImmediate,
  fetch: keptFetch,
} = globalThis;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => keptTimeout(resolve, ms)); // leaks: kept sleep
const cache = new WeakRef({});
const registry = new FinalizationRegistry(nothing);
// Unknown to the types of a program without the DOM.
const webAssembly: { compile(bytes: Uint8Array): Promise<unknown> } = Reflect.get(globalThis, "WebAssembly");
const wasm = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

class Store {
  async load(): Promise<void> {
    await null;
    const handle = await open(here); // leaks: file handle
    await handle.close();
  }
}

/** Name → code that leaks at the line marked with that name. */
export const corpus: Readonly<Record<string, () => unknown>> = {
  "kept setTimeout": () => keptTimeout(nothing, 60_000), // leaks: kept setTimeout
  "kept setInterval": () => keptInterval(nothing, 60_000), // leaks: kept setInterval
  "kept setImmediate": () => keptImmediate(nothing), // leaks: kept setImmediate
  "kept sleep": () => sleep(60_000),
  "file with a callback": () => readFile(here, nothing), // leaks: file with a callback
  "file status": () => stat(here, nothing), // leaks: file status
  "file with a promise": () => writeFile("/dev/null", ""), // leaks: file with a promise
  folder: () => readdir("."), // leaks: folder
  "file handle": () => new Store().load(),
  "file read as a stream": () => createReadStream(here), // leaks: file read as a stream
  "file written as a stream": () => createWriteStream("/dev/null").end("x"), // leaks: file written as a stream
  "file that is watched": () => watch(here).close(), // leaks: file that is watched
  "file that is polled": () => watchFile(here, nothing).unref(), // leaks: file that is polled
  socket: () => ignored(connect(9)), // leaks: socket
  server: () => createServer().listen(0).close(), // leaks: server
  datagram: () => createSocket("udp4").close(), // leaks: datagram
  "encrypted socket": () => ignored(connectTls(9)), // leaks: encrypted socket
  "name lookup": () => lookup("localhost", nothing), // leaks: name lookup
  "name query": () => resolve4("localhost").catch(nothing), // leaks: name query
  "http request": () => ignored(get("http://127.0.0.1:9/")), // leaks: http request
  fetch: () => fetch("http://127.0.0.1:9/").catch(nothing), // leaks: fetch
  "kept fetch": () => keptFetch("http://127.0.0.1:9999/").catch(nothing), // leaks: kept fetch
  "compression with a callback": () => gzip("x", nothing), // leaks: compression with a callback
  "compression as a stream": async () => {
    await pipeline(["x"], createGzip(), createWriteStream("/dev/null")); // leaks: compression as a stream
  },
  "compression deep in a chain": async () => {
    await null;
    await new Promise((resolve) => deflate("x", resolve)); // leaks: compression deep in a chain
  },
  "compression that is written to": () => createBrotliCompress().end("x"), // leaks: compression that is written to
  "web crypto": () => webcrypto.subtle.digest("SHA-256", wasm), // leaks: web crypto
  "random bytes": () => randomBytes(8, nothing), // leaks: random bytes
  "derived key": () => pbkdf2("a", "b", 1, 8, "sha256", nothing), // leaks: derived key
  "slow hash": () => scrypt("a", "b", 8, nothing), // leaks: slow hash
  "key pair": () => generateKeyPair("ed25519", {}, nothing), // leaks: key pair
  command: () => exec("true"), // leaks: command
  "child process": () => spawn("true"), // leaks: child process
  "forked process": () => fork("-v", [], { execArgv: ["-v"], silent: true }), // leaks: forked process
  "worker thread": () => new Worker("", { eval: true }), // leaks: worker thread
  "message channel": () => new MessageChannel().port1.close(), // leaks: message channel
  "message channel of Node": () => new NodeMessageChannel().port1.close(), // leaks: message channel of Node
  "broadcast channel": () => new BroadcastChannel("x").close(), // leaks: broadcast channel
  blob: () => new Blob(["x"]).text(), // leaks: blob
  WebAssembly: () => webAssembly.compile(wasm), // leaks: WebAssembly
  "weak reference": () => cache.deref(), // leaks: weak reference
  "finalization registry": () => registry.register({}, 0), // leaks: finalization registry
  "after a nextTick": () => process.nextTick(() => readFile(here, nothing)), // leaks: after a nextTick
  "after a virtual timer": () => setTimeout(() => readFile(here, nothing), 1_000), // leaks: after a virtual timer
};

/** Code that looks like it and waits for nothing. */
export const innocent: Readonly<Record<string, () => unknown>> = {
  "timers of the realm": () => setTimeout(nothing, 60_000),
  console: () => console.debug("said in an execution"),
  "a hash": () => createHmac("sha256", "key").update("x").digest("hex"),
  "random bytes at once": () => randomBytes(8),
  "a copy": () => structuredClone({ a: [1] }),
  "web streams": () => new ReadableStream({ start: (stream) => stream.close() }).getReader().read(),
  "a signal handler": () => process.on("SIGUSR2", nothing).off("SIGUSR2", nothing),
  "a compressor that nobody uses": () => createGzip(),
};
