import type { Loss } from "../formats/index.ts";
import { note } from "./output.ts";
import { grouped } from "./progress.ts";

/** What readers say of things that they could not read as they were meant, counted. */
export interface Notices {
  readonly onNotice: (what: string, example: string) => void;
  /** As they are counted so far. */
  list(): readonly Loss[];
  /** Tells the person who runs the command, unless quiet. */
  tell(file: string, quiet: boolean | undefined): void;
}

export function noticeCollector(): Notices {
  const found = new Map<string, { count: number; example: string }>();
  const list = (): Loss[] => [...found].map(([what, notice]) => ({ what, ...notice }));
  return {
    onNotice(what, example) {
      const known = found.get(what);
      if (known === undefined) found.set(what, { count: 1, example });
      else known.count++;
    },
    list,
    tell(file, quiet) {
      if (quiet) return;
      for (const { what, count, example } of list()) note(`${file}: ${what} (${grouped(count)}), such as ${example}`);
    },
  };
}
