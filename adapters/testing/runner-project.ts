import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { transform } from "esbuild";
import { type Ran, run } from "../../cli/testing/command.ts";

/** A user's project with one runner in it, in a folder of its own; dispose of it when done. */
export class RunnerProject implements AsyncDisposable {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Installs the built package as npm would; `linked`, as a workspace would. */
  static async make(install: "installed" | "linked" = "installed"): Promise<RunnerProject> {
    const project = new RunnerProject(await mkdtemp(join(tmpdir(), "microloom-runner-")));
    const modules = join(project.folder, "node_modules");
    await mkdir(modules);
    // Scoped packages are found by those that need them, from where they really lie.
    const packages = ["jest", "mocha", "seedrandom", "vitest", "picocolors", "fast-check", "pure-rand"];
    for (const name of packages) await project.link(name);
    if (install === "linked") await symlink(resolve("."), join(modules, "microloom"));
    else
      for (const part of ["dist", "package.json"])
        await cp(part, join(modules, "microloom", part), { recursive: true });
    await project.write("package.json", JSON.stringify({ name: "project", type: "module" }));
    return project;
  }

  /** Installs one package more, as this repository has it. */
  async link(name: string): Promise<void> {
    const place = join(this.folder, "node_modules", name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(resolve("node_modules", name), place);
  }

  async write(path: string, content: string): Promise<void> {
    await mkdir(dirname(join(this.folder, path)), { recursive: true });
    await writeFile(join(this.folder, path), content);
  }

  /** Adds the files of a folder beside this one, without their types: not every runner reads them. */
  async add(folder: string): Promise<void> {
    for (const file of await readdir(resolve(import.meta.dirname, folder))) {
      const source = await readFile(resolve(import.meta.dirname, folder, file), "utf8");
      const { code } = await transform(source, { loader: "ts", target: "node20" });
      await this.write(file.replace(/\.ts$/, ".js"), code.replace(/(from ".\/\w+)\.ts"/g, '$1.js"'));
    }
  }

  read(path: string): Promise<string> {
    return readFile(join(this.folder, path), "utf8");
  }

  node(...args: readonly string[]): Promise<Ran> {
    return run(process.execPath, args, { cwd: this.folder });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
