import { buildMatcher } from "../lexicon/pure.ts";
import type { Sentence } from "../text/index.ts";
import type { Numbers } from "./numbers.ts";

/** Where a token stands in a match. */
const roles = ["begins", "inside", "ends", "alone"] as const;

/** Surfaces with their types; an entry without a type has the type "". */
export type DictionaryEntries = readonly (readonly [surface: string, type: string])[];

/** What a dictionary says of tokens. */
export interface DictionaryMarks {
  /** Four numbers for each type. */
  readonly width: number;
  /** `[batch, time, width]`: 1 where a match begins, goes on, ends or is the token alone; overlapping ones all count. */
  marks(sentences: readonly Sentence[], time: number): Numbers;
}

export function dictionaryMarks(known: DictionaryEntries, { anyCase }: { readonly anyCase: boolean }): DictionaryMarks {
  const entries = known.map(([surface, type]) => ({ surface, type, dictionary: "marks" }));
  const matcher = buildMatcher(entries, { folding: { case: anyCase } });
  const types = [...new Set(known.map(([, type]) => type))].sort();
  const width = types.length * roles.length;
  const mark = (row: Float32Array, sentence: Sentence): void => {
    for (const { start, end, key } of matcher.find(sentence)) {
      for (const type of matcher.types(key)) {
        const at = types.indexOf(type) * roles.length;
        for (let i = start; i < end; i++) row[i * width + at + roleOf(i, start, end)] = 1;
      }
    }
  };
  return {
    width,
    marks(sentences, time) {
      const data = new Float32Array(sentences.length * time * width);
      sentences.forEach((sentence, b) => {
        mark(data.subarray(b * time * width, (b + 1) * time * width), sentence);
      });
      return { data, shape: [sentences.length, time, width] };
    },
  };
}

function roleOf(token: number, start: number, end: number): number {
  if (end - start === 1) return roles.indexOf("alone");
  return roles.indexOf(token === start ? "begins" : token === end - 1 ? "ends" : "inside");
}
