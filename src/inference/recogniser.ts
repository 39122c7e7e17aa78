import { z } from "zod";
import type { Encoder, PrepareOptions } from "../encoders/index.ts";
import { pieces } from "../heads/index.ts";
import type { RuntimeOptions } from "../tensor/index.ts";
import { type Document, type Sentence, tokenCount, tokenise } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import { type LoadedModel, type LoadOptions, loadModel } from "./model-directory.ts";
import { type DecodeSettings, decodeSettings, Predictor } from "./predict.ts";
import { readAhead } from "./scorer.ts";
import { type TaggedEntity, taggedEntities } from "./tagged-entity.ts";

export interface RecogniserOptions extends RuntimeOptions, LoadOptions {
  /** How overlapping spans are resolved and the least score; as the model was trained when not given. */
  readonly decode?: Partial<DecodeSettings>;
}

/** A trained model at work. */
export class Recogniser {
  /** The entity types it knows. */
  readonly types: readonly string[];
  private readonly predictor: Predictor;
  private readonly decode: DecodeSettings;
  private readonly encoder: Encoder;

  private constructor({ model }: LoadedModel, predictor: Predictor, decode: DecodeSettings) {
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
    const settings = decodeSettings.safeParse({ ...(loaded.config.training.decode as object | undefined), ...decode });
    if (!settings.success)
      throw new InputError(`decode settings: ${z.prettifyError(settings.error)}`, { file: directory });
    const { model, store, retrieval } = loaded;
    return new Recogniser(loaded, await Predictor.create(model, store, { runtime, retrieval }), settings.data);
  }

  /** The entities of a text of any length. */
  async tag(text: string): Promise<TaggedEntity[]> {
    const [document] = await this.documents([tokenise(text)]);
    return taggedEntities(document!.sentences);
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

  /** Sentences with predicted entities in place of what was known about them. */
  sentences(sentences: readonly Sentence[]): Promise<Sentence[]> {
    return this.predictor.predict(sentences, this.decode);
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
