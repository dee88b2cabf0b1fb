/**
 * Imports a TypeScript module by way of tsx. tsx takes as long to load as all else of the command together, so it is
 * loaded for those who need it.
 */

let ownProcess = false;
let registered = false;

/**
 * Says that the process is the command's own. What a file imports, this package included, is then loaded once; elsewhere
 * nothing may stay of a loader, and a file is read anew each time, so all of that is loaded again for each file.
 */
export function ownsProcess(): void {
  ownProcess = true;
}

export async function importTypeScript(url: string): Promise<object> {
  const { register, tsImport } = await import("tsx/esm/api");
  if (!ownProcess) return tsImport(url, import.meta.url);
  if (!registered) register();
  registered = true;
  return import(url);
}
