import { z } from "zod";
import type { AnyModel, ModelKind } from "../models/kinds.ts";
import type { Retrieval } from "../models/retrieval.ts";
import { shift, type Window, windows } from "../models/windows.ts";
import type { ParameterStore } from "../nn/index.ts";
import type { RuntimeOptions } from "../tensor/index.ts";
import { annotate, type Entity, type Sentence, tokenCount } from "../text/index.ts";
import { type Candidate, resolve } from "./decode.ts";
import type { Finder } from "./finder.ts";
import { SpanFinder } from "./span-finder.ts";
import { TokenFinder } from "./token-finder.ts";

export const decodeSettings = z.strictObject({
  overlap: z.enum(["flat", "nested", "all"]).default("flat"),
  /** Entities below this probability are left out. */
  minScore: z.number().min(0).max(1).default(0),
});
export type DecodeSettings = z.output<typeof decodeSettings>;

/** How each kind of model finds candidates. */
const finders: {
  readonly [K in ModelKind]: (
    model: Extract<AnyModel, { kind: K }>,
    store: ParameterStore,
    runtime: RuntimeOptions,
    retrieval: Retrieval | undefined,
  ) => Promise<Finder>;
} = { span: SpanFinder.create, token: TokenFinder.create };

/** A window of a sentence, and the places it takes in a row of the encoder's batch. */
interface Piece {
  readonly window: Window;
  readonly size: number;
}

/** A model made ready for prediction with the weights of a store. */
export class Predictor {
  private readonly types: readonly string[];
  private readonly finder: Finder;

  private constructor(types: readonly string[], finder: Finder) {
    this.types = types;
    this.finder = finder;
  }

  /** With retrieval of any weight, scores of spans are mixed with what the centroids of the labels say. */
  static async create(
    model: AnyModel,
    store: ParameterStore,
    runtime: RuntimeOptions = {},
    retrieval?: Retrieval,
  ): Promise<Predictor> {
    return new Predictor(model.types, await finders[model.kind](model as never, store, runtime, retrieval));
  }

  /** The sentences with predicted entities in place of what was known about them. */
  async predict(
    sentences: readonly Sentence[],
    options: DecodeSettings = decodeSettings.parse({}),
  ): Promise<Sentence[]> {
    const found = sentences.map((): Candidate[] => []);
    const pieces = sentences.flatMap((sentence, at) =>
      tokenCount(sentence) > 0
        ? windows(sentence).map((window) => ({ at, window, size: this.finder.size(window.sentence) }))
        : [],
    );
    pieces.sort((a, b) => a.size - b.size);
    for (const group of this.groups(pieces)) {
      const results = await this.finder.candidates(group.map(({ window }) => window.sentence));
      group.forEach(({ at, window }, i) => {
        found[at]!.push(...owned(results[i]!, window));
      });
    }
    const overlap = this.finder.overlap ?? options.overlap;
    return sentences.map((sentence, i) => {
      const entities = resolve(found[i]!, overlap).map((each) => this.entity(each));
      const kept = entities.filter(({ score }) => score! >= options.minScore);
      return annotate(sentence, { entities: kept, rejected: [], unsure: [], complete: [] });
    });
  }

  async dispose(): Promise<void> {
    await this.finder.dispose();
  }

  /** Cuts pieces that are sorted by size into groups that fit. */
  private *groups<P extends Piece>(pieces: readonly P[]): Generator<P[]> {
    let group: P[] = [];
    let longest = 0;
    for (const piece of pieces) {
      const length = tokenCount(piece.window.sentence);
      if (group.length > 0 && !this.finder.fits(group.length + 1, piece.size, Math.max(longest, length))) {
        yield group;
        group = [];
        longest = 0;
      }
      group.push(piece);
      longest = Math.max(longest, length);
    }
    if (group.length > 0) yield group;
  }

  private entity({ start, end, label, score }: Candidate): Entity {
    return { start, end, type: this.types[label - 1]!, score: Math.exp(score) };
  }
}

/** The candidates that a window has to decide, with tokens numbered in the whole text. */
function owned(candidates: readonly Candidate[], { offset, ownStart, ownEnd }: Window): Candidate[] {
  const own = candidates.filter(({ start }) => start >= ownStart && start < ownEnd);
  return own.map((candidate) => shift(candidate, offset));
}
