import { z } from "zod";
import { bigrams } from "./bigrams.ts";
import { charlm } from "./charlm.ts";
import { chars } from "./chars.ts";
import { dict } from "./dict.ts";
import { shapes } from "./shapes.ts";
import { softlexicon } from "./softlexicon.ts";
import type { SourceKind } from "./source.ts";
import { transformer } from "./transformer.ts";
import { words } from "./words.ts";

/** Every source by name: what `--encoder` joins by `+`. A new source is one file and one line here. */
export const sources = { words, chars, shapes, bigrams, transformer, charlm, softlexicon, dict } as const;
export type SourceName = keyof typeof sources;

type Schemas = { readonly [N in SourceName]: (typeof sources)[N]["settings"] };

/** The settings of every source: `name` tells which. */
export const sourceSettings = z.discriminatedUnion(
  "name",
  Object.values(sources).map(({ settings }) => settings) as unknown as [Schemas["words"], ...Schemas[SourceName][]],
);
export type SourceSettings = z.output<Schemas[SourceName]>;

export function sourceNamed(name: string): SourceKind {
  return sources[name as SourceName] as unknown as SourceKind;
}

export type { SavedSource, Source, SourceContext, SourceKind, SourceVectors } from "./source.ts";
