/** What a table has under a name that a user gave. Every object also answers to `constructor` and `__proto__`, which are no entries. */
export function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
