import { characters, type Sentence, type Span } from "../text/index.ts";

/** Keeps a few places of the surfaces found most often, in memory that does not grow with the text. */
export interface ContextKeeper {
  add(key: number, sentence: Sentence, span: Span): void;
  of(key: number): readonly string[];
}

const perKey = 3;
const mostKeys = 1 << 13;
const around = 40;

/** `counts` are the numbers of matches so far: when there are too many surfaces, the rare half is forgotten. */
export function contextKeeper(counts: Uint32Array): ContextKeeper {
  const kept = new Map<number, string[]>();
  return {
    add(key, sentence, span) {
      const contexts = kept.get(key);
      if (contexts === undefined) {
        if (kept.size === mostKeys) forgetRare(kept, counts);
        kept.set(key, [contextOf(sentence, span)]);
      } else if (contexts.length < perKey) contexts.push(contextOf(sentence, span));
    },
    of: (key) => kept.get(key) ?? [],
  };
}

function forgetRare(kept: Map<number, string[]>, counts: Uint32Array): void {
  const byCount = [...kept.keys()].sort((a, b) => counts[a]! - counts[b]!);
  for (const key of byCount.slice(0, byCount.length >> 1)) kept.delete(key);
}

/** `before [surface] after`, on one line, cut at the ends of the sentence. */
function contextOf(sentence: Sentence, span: Span): string {
  const { start, end } = characters(sentence, span);
  const from = Math.max(sentence.offsets[0]!, start - around);
  const to = Math.min(sentence.offsets[sentence.offsets.length - 1]!, end + around);
  const { text } = sentence;
  const context = `${text.slice(from, start)}[${text.slice(start, end)}]${text.slice(end, to)}`;
  // A copy: the slices would keep the whole text of the document in memory.
  return Buffer.from(context).toString().replaceAll(/\s+/g, " ");
}
