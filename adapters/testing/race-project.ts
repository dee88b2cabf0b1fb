import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Ran, run } from "../../cli/testing/command.ts";

/** A project of its own with tests in it, on the sources, in which Vitest runs; dispose of it when done. */
export class RaceProject implements AsyncDisposable {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<RaceProject> {
    const project = new RaceProject(await mkdtemp(resolve(".microloom-race-")));
    // Vitest refuses .only where CI is set, unless told otherwise; and a busy machine is slow.
    const config = `export default { test: { include: ["**/*.test.ts"], allowOnly: true, testTimeout: 0 } };`;
    await project.write("vitest.config.mjs", config);
    return project;
  }

  async write(path: string, content: string): Promise<void> {
    await mkdir(dirname(join(this.folder, path)), { recursive: true });
    await writeFile(join(this.folder, path), content);
  }

  /** Writes a test file that has `race`. */
  async writeRaces(path: string, body: string): Promise<void> {
    const races = JSON.stringify(resolve(import.meta.dirname, "../vitest/index.ts"));
    await this.write(path, `import { race } from ${races};\n${body}`);
  }

  read(path: string): Promise<string> {
    return readFile(join(this.folder, path), "utf8");
  }

  async move(from: string, to: string): Promise<void> {
    await mkdir(dirname(join(this.folder, to)), { recursive: true });
    await rename(join(this.folder, from), join(this.folder, to));
  }

  /** Runs all tests. */
  vitest(): Promise<Ran> {
    const vitest = resolve("node_modules/vitest/vitest.mjs");
    return run(process.execPath, [vitest, "run", "--root", this.folder], { cwd: this.folder });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
