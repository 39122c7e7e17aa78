import { type ReadOptions, readAll } from "../formats/index.ts";
import type { Adjustment } from "../heads/index.ts";
import { type Document, type Entity, type Sentence, tokenCount } from "../text/index.ts";
import { InputError } from "../util/errors.ts";

/** What a run learns from. */
export interface TrainingData {
  readonly train: readonly Sentence[];
  /** Chooses the best state; without it the last one is kept. */
  readonly dev: readonly Sentence[];
  /** Sentence by sentence, entities that were hidden on purpose: only counted, never used. */
  readonly hidden?: readonly (readonly Entity[])[] | undefined;
  /** Types that the model knows beside those that are labelled in `train`. */
  readonly types?: readonly string[] | undefined;
  /** Text of which nothing is said, for methods that learn from their own labels. */
  readonly unlabelled?: readonly Sentence[] | undefined;
  /** Sentences that tell how much is missing from `train`, of which they are more; `train` itself unless given. */
  readonly estimated?: readonly Sentence[] | undefined;
  /** What earlier stages found out about single items. */
  readonly adjustments?: readonly Adjustment[] | undefined;
}

/** Documents of sentences: neighbours that stand in the same text are one. */
export function documentsOf(sentences: readonly Sentence[]): Document[] {
  const documents: { text: string; sentences: Sentence[] }[] = [];
  for (const sentence of sentences) {
    const last = documents.at(-1);
    const after = last?.sentences.at(-1)?.offsets.at(-1) ?? 0;
    if (last?.text === sentence.text && (sentence.offsets[0] ?? after) >= after) last.sentences.push(sentence);
    else documents.push({ text: sentence.text, sentences: [sentence] });
  }
  return documents;
}

/** The sentences of some files, in order. */
export async function readSentences(files: readonly string[], options: ReadOptions = {}): Promise<Sentence[]> {
  const documents = await readAll(files, options);
  return documents.flatMap((document) => document.sentences);
}

/**
 * The sentences of a set to measure on, which is complete unless the options say otherwise. Without a sentence there is
 * nothing to choose or judge by, which is not what somebody wants who names a file.
 */
export async function readGold(file: string, what: string, options: ReadOptions = {}): Promise<Sentence[]> {
  const sentences = await readSentences([file], { ...options, silence: options.silence ?? "negative" });
  if (sentences.length === 0) throw new InputError(`the ${what} set holds no sentence`, { file });
  return sentences;
}

/** The hidden entities of each training sentence, from a file that must hold the same sentences. */
export async function readHidden(
  file: string,
  train: readonly Sentence[],
  options: ReadOptions,
): Promise<(readonly Entity[])[]> {
  const hidden = await readSentences([file], options);
  if (hidden.length !== train.length) {
    throw new InputError(`must hold the sentences of the training data: ${train.length}, got ${hidden.length}`, {
      file,
    });
  }
  return hidden.map((sentence, i) => {
    if (tokenCount(sentence) === tokenCount(train[i]!)) return sentence.entities;
    throw new InputError(
      `sentence ${i + 1} must have ${tokenCount(train[i]!)} tokens as in the training data, got ${tokenCount(sentence)}`,
      { file },
    );
  });
}
