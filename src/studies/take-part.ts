import { annotate, type Document, type Sentence } from "../text/index.ts";
import type { TrainFile } from "./train-file.ts";

/** A part of the sentences, with the labels of some types: what an annotator saw who was asked for these alone. */
export function takePart(
  documents: readonly Document[],
  { types, part }: Pick<TrainFile, "types" | "part">,
): Document[] {
  const total = documents.reduce((sum, { sentences }) => sum + sentences.length, 0);
  const [k, n] = part ?? [1, 1];
  const [from, to] = [Math.floor(((k - 1) * total) / n), Math.floor((k * total) / n)];
  let number = 0;
  return documents.map((document) => {
    const inside = document.sentences.filter(() => {
      const at = number++;
      return at >= from && at < to;
    });
    return { ...document, sentences: types ? inside.map((sentence) => withTypes(sentence, types)) : inside };
  });
}

function withTypes(sentence: Sentence, types: readonly string[]): Sentence {
  const kept = (named: readonly string[] | undefined): readonly string[] =>
    named === undefined ? types : named.filter((type) => types.includes(type));
  return annotate(sentence, {
    entities: sentence.entities.filter(({ type }) => types.includes(type)),
    complete: sentence.complete.map((region) => ({ ...region, types: kept(region.types) })),
  });
}
