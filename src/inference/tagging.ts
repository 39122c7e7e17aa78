import { biased, type Candidate, type ItemScores, type Model } from "../heads/index.ts";
import type { ParameterStore } from "../nn/index.ts";
import { annotate, type Entity, type Sentence, tokenCount } from "../text/index.ts";
import { entityOf, owned, resolve } from "./decode.ts";
import type { Decoding } from "./decode-settings.ts";
import type { Piece } from "./pieces.ts";
import { labelBiases } from "./shift.ts";

/**
 * Sentences on their way through a model, a part at a time and together with parts of others: a long document neither
 * holds up short ones nor hides how far it is. Pieces of long sentences count as parts.
 */
export class Tagging {
  /** Tokens of all sentences. */
  readonly tokens: number;
  /** What decoding adds to the score of each label, where it adds something. */
  readonly biases: Float32Array | undefined;
  private readonly model: Model;
  private readonly sentences: readonly Sentence[];
  private readonly pieces: Iterator<Piece, void>;
  private readonly decode: Decoding;
  private readonly found: Candidate[][];
  private next: Piece | undefined;
  private decided = 0;
  private open = 0;

  constructor(model: Model, sentences: readonly Sentence[], pieces: Iterator<Piece, void>, decode: Decoding) {
    this.model = model;
    this.sentences = sentences;
    this.pieces = pieces;
    this.decode = decode;
    this.biases = labelBiases(model, decode.shift);
    this.tokens = sentences.reduce((sum, sentence) => sum + tokenCount(sentence), 0);
    this.found = sentences.map(() => []);
    this.step();
  }

  /** Tokens whose entities are decided. */
  get done(): number {
    return this.decided;
  }

  get isFinished(): boolean {
    return this.next === undefined && this.open === 0;
  }

  /** The next pieces: at least one as long as there are any, else no more than so many tokens. */
  take(tokens: number): Piece[] {
    const taken: Piece[] = [];
    let left = tokens;
    for (let piece = this.next; piece !== undefined; piece = this.next) {
      left -= tokenCount(piece.window.sentence);
      if (taken.length > 0 && left < 0) break;
      taken.push(piece);
      this.step();
    }
    this.open += taken.length;
    return taken;
  }

  /** Hears what the model says of a piece. */
  accept({ at, window }: Piece, candidates: readonly Candidate[]): void {
    for (const candidate of owned(candidates, window)) this.found[at]!.push(candidate);
    this.decided += window.ownEnd - window.ownStart;
    this.open--;
  }

  /** The sentences with predicted entities in place of what was known about them. */
  result(): Sentence[] {
    if (!this.isFinished) throw new Error(`tagging: ${this.tokens - this.decided} tokens are not decided yet`);
    return this.sentences.map((sentence, i) => {
      const entities = decided(this.found[i]!, this.model, this.decode);
      return annotate(sentence, { entities, rejected: [], unsure: [], complete: [] });
    });
  }

  private step(): void {
    const { value, done } = this.pieces.next();
    this.next = done ? undefined : value;
  }
}

/** A piece and the tagging it is of. */
export interface TaggingPart {
  readonly tagging: Tagging;
  readonly piece: Piece;
}

/** About so many tokens of what is left of some taggings: so many of each in its turn, again and again. */
export function nextParts(taggings: readonly Tagging[], tokens: number, each: number): TaggingPart[] {
  const parts: TaggingPart[] = [];
  let left = tokens;
  for (let before = -1; before < parts.length && left > 0; ) {
    before = parts.length;
    for (const tagging of taggings) {
      if (left <= 0) break;
      for (const piece of tagging.take(Math.min(each, left))) {
        parts.push({ tagging, piece });
        left -= tokenCount(piece.window.sentence);
      }
    }
  }
  return parts;
}

/** The entities that follow from the scores of a whole sentence. */
export function entitiesOf(
  scores: ItemScores,
  { model, store }: { readonly model: Model; readonly store: ParameterStore },
  decoding: Decoding,
): Entity[] {
  const biases = labelBiases(model, decoding.shift);
  return decided(model.candidates(store)(biases ? biased(scores, biases) : scores), model, decoding);
}

/** Those of the candidates of a sentence that may stand together and are sure enough. */
function decided(candidates: readonly Candidate[], model: Model, { overlap, minScore }: Decoding): Entity[] {
  const entities = resolve(candidates, model.overlap ?? overlap).map((each) => entityOf(each, model.types));
  return entities.filter(({ score }) => score! >= minScore);
}
