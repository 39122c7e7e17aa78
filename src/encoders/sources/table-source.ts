import type { Vocabulary } from "../../inputs/index.ts";
import { type TokenTableOptions, tokenTable } from "../token-table.ts";
import { named, type Source } from "./source.ts";

/** A source that looks each token up in a table, and the entries that the table knows. */
export interface TableSource extends Source {
  readonly known: Vocabulary;
}

/** `settings` are the source's own, kept with a saved model; the entries stand in a file of their own. */
export function tableSource(
  id: string,
  entries: readonly string[],
  settings: Source["settings"],
  options: TokenTableOptions,
): TableSource {
  const { table, known, batch, input, spec } = tokenTable(named(id, "vectors"), entries, options);
  return {
    width: options.width,
    settings,
    tables: [table],
    pretrained: [],
    batch,
    build() {
      const vectors = input();
      return { first: vectors, last: vectors };
    },
    flops: () => 0,
    files: () => ({ [named(id, "json")]: JSON.stringify(entries) }),
    portable: async () => ({ inputs: [spec({ file: named(id, "json") })] }),
    known,
  };
}
