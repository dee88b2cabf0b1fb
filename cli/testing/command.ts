import { spawn } from "node:child_process";
import { resolve } from "node:path";

export type RunOptions = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Sent once the process has written something. */
  readonly signal?: NodeJS.Signals;
};
export type Ran = { readonly code: number | null; readonly out: string; readonly err: string };

/** Runs the built command as a user's shell would, and waits for its end. */
export function microloom(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(process.execPath, [resolve("dist/cli/main.js"), ...args], options);
}

export function run(file: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return new Promise((done, failed) => {
    const env = { ...process.env, NO_COLOR: "1", ...options.env };
    // The test runner's own settings must not reach a process that stands for a user's.
    for (const name of ["VITEST", "VITEST_POOL_ID", "VITEST_WORKER_ID", "NODE_OPTIONS"])
      Reflect.deleteProperty(env, name);
    const child = spawn(file, args, { cwd: options.cwd ?? process.cwd(), env, stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk: Buffer) => {
      if (out === "" && options.signal !== undefined) child.kill(options.signal);
      out += chunk.toString("utf8");
    });
    child.stderr.on("data", (chunk: Buffer) => {
      err += chunk.toString("utf8");
    });
    child.on("error", failed);
    child.on("close", (code) => done({ code, out, err }));
  });
}
