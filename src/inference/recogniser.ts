import { z } from "zod";
import type { Encoder, PrepareOptions } from "../encoders/index.ts";
import { pieces } from "../heads/index.ts";
import type { RuntimeOptions } from "../tensor/index.ts";
import { type Document, type Sentence, tokenCount, tokenise } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import { type Decoding, decodeSettings } from "./decode-settings.ts";
import { type LoadedModel, type LoadOptions, loadModel } from "./model-directory.ts";
import { Predictor } from "./predict.ts";
import { readAhead } from "./scorer.ts";
import { labelBiases } from "./shift.ts";
import { type TaggedEntity, taggedEntities } from "./tagged-entity.ts";
import type { Tagging } from "./tagging.ts";

export interface RecogniserOptions extends RuntimeOptions, LoadOptions {
  /** How overlapping spans are resolved, the least score, the shift; as the model was trained when not given. */
  readonly decode?: Partial<Decoding>;
}

/** A trained model at work. */
export class Recogniser {
  /** The entity types it knows. */
  readonly types: readonly string[];
  private readonly predictor: Predictor;
  private readonly decode: Decoding;
  private readonly encoder: Encoder;

  private constructor({ model }: LoadedModel, predictor: Predictor, decode: Decoding) {
    this.types = model.types;
    this.encoder = model.encoder;
    this.predictor = predictor;
    this.decode = decode;
  }

  /** Opens a model directory. */
  static async load(
    directory: string,
    { decode, heads, encoders, parts, ...runtime }: RecogniserOptions = {},
  ): Promise<Recogniser> {
    const loaded = await loadModel(directory, { heads, encoders, parts });
    const decoding = decodingOf(loaded, decode, directory);
    const { model, store, retrieval } = loaded;
    return new Recogniser(loaded, await Predictor.create(model, store, { runtime, retrieval }), decoding);
  }

  /** The entities of a text of any length. */
  async tag(text: string): Promise<TaggedEntity[]> {
    const [document] = await this.documents([tokenise(text)]);
    return taggedEntities(document!.sentences);
  }

  /** Sentences to be given to the model a part at a time, by `advance`; settings that are given go before its own. */
  begin(sentences: readonly Sentence[], decode: Partial<Decoding> = {}): Tagging {
    return this.predictor.begin(sentences, { ...this.decode, ...decode });
  }

  /** Gives the model about so many tokens of what is left of some taggings, at most so many of each in its turn. */
  advance(taggings: readonly Tagging[], amount: { readonly tokens: number; readonly each?: number }): Promise<number> {
    return this.predictor.advance(taggings, amount);
  }

  /** Documents with predicted entities, in order, in bounded memory. */
  async *stream(documents: Iterable<Document> | AsyncIterable<Document>): AsyncGenerator<Document> {
    let ahead: Document[] = [];
    let tokens = 0;
    for await (const document of documents) {
      ahead.push(document);
      for (const sentence of document.sentences) tokens += tokenCount(sentence);
      if (tokens < readAhead) continue;
      yield* await this.documents(ahead);
      ahead = [];
      tokens = 0;
    }
    yield* await this.documents(ahead);
  }

  /** Sentences with predicted entities in place of what was known about them; settings that are given go before its own. */
  sentences(sentences: readonly Sentence[], decode: Partial<Decoding> = {}): Promise<Sentence[]> {
    return this.predictor.predict(sentences, { ...this.decode, ...decode });
  }

  /** Computes what never changes for sentences that are tagged again and again, and keeps it in the cache on disk. */
  async prepare(sentences: readonly Sentence[], options: PrepareOptions = {}): Promise<void> {
    await this.encoder.prepare?.(pieces(sentences), { ...options, keep: true });
  }

  /** Frees the model. */
  async dispose(): Promise<void> {
    await this.predictor.dispose();
    await this.encoder.dispose?.();
  }

  private async documents(documents: readonly Document[]): Promise<Document[]> {
    const tagged = await this.sentences(documents.flatMap(({ sentences }) => sentences));
    let at = 0;
    return documents.map((document) => {
      const sentences = tagged.slice(at, at + document.sentences.length);
      at += document.sentences.length;
      return { ...document, sentences };
    });
  }
}

/** As the model was trained, unless the caller says otherwise. */
function decodingOf({ model, config }: LoadedModel, given: Partial<Decoding> | undefined, file: string): Decoding {
  const merged = { ...(config.training.decode as object | undefined), ...config.decode, ...given };
  const settings = decodeSettings.safeParse(merged);
  if (!settings.success) throw new InputError(`decode settings: ${z.prettifyError(settings.error)}`, { file });
  const { shift, ...rest } = settings.data;
  if (typeof shift === "string")
    throw new InputError(`decode.shift is still "${shift}": the model's training is not over; resume it first`, {
      file,
    });
  labelBiases(model, shift); // refuses types that the model does not know
  return { ...rest, shift };
}
