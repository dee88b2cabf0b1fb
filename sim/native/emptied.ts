/** Empties a list that is filled again at once. Setting its length to 0 would give up its storage, and cost a new one. */
export function emptyList(list: unknown[]): void {
  while (list.length > 0) list.pop();
}

/** Empties a set or map. Clearing one that is empty costs a new table. */
export function emptyTable(table: { readonly size: number; clear(): void }): void {
  if (table.size > 0) table.clear();
}
