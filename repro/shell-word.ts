/** One word of a command line that a reader may copy into a shell: nothing in it is expanded or run. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
