import { biased, type Candidate, type Decoder, decoder, type ItemScores, type Overlap } from "../heads/pure.ts";
import { cut, entityOf, owned, pieceGroups, resolve, type TaggedEntity, taggedEntities } from "../inference/pure.ts";
import { type Feeder, type Files, feeder, type Numbers } from "../inputs/index.ts";
import { annotate, type Sentence, tokenCount, tokenise } from "../text/index.ts";
import { InputError, messageOf, unknownName } from "../util/errors.ts";
import { own } from "../util/own.ts";
import type { Description } from "./description.ts";
import type { OnnxResult, OnnxRuntime, OnnxSession } from "./runtime.ts";
import { spanFeeds } from "./span-feeds.ts";

export interface DecodeOptions {
  readonly overlap?: Overlap;
  readonly minScore?: number;
}

/** An exported model at work, in a browser or wherever ONNX Runtime is. */
export class ExportedRecogniser {
  readonly description: Description;
  private readonly ort: OnnxRuntime;
  private readonly session: OnnxSession;
  private readonly feeder: Feeder;
  private readonly decoder: Decoder;

  private constructor(ort: OnnxRuntime, session: OnnxSession, description: Description, files: Files) {
    this.ort = ort;
    this.session = session;
    this.description = description;
    this.feeder = feeder(description.inputs, files);
    this.decoder = decoder(description.decode, description.types);
  }

  /** `files` are the texts of the files that the description names, `model` is the ONNX file. */
  static async open(
    ort: OnnxRuntime,
    description: Description,
    model: Uint8Array,
    files: Files,
    options: Readonly<Record<string, unknown>> = {},
  ): Promise<ExportedRecogniser> {
    const session = await ort.InferenceSession.create(model, options).catch((error: unknown) => {
      throw new InputError(`cannot be opened: ${messageOf(error)}`, { file: description.model });
    });
    try {
      return new ExportedRecogniser(ort, session, description, files);
    } catch (error) {
      await session.release();
      throw error;
    }
  }

  /** The entity types it knows. */
  get types(): readonly string[] {
    return this.description.types;
  }

  /** The entities of a text of any length. */
  async tag(text: string, options: DecodeOptions = {}): Promise<TaggedEntity[]> {
    return taggedEntities(await this.sentences(tokenise(text).sentences, options));
  }

  /** Sentences with predicted entities in place of what was known about them. */
  async sentences(sentences: readonly Sentence[], options: DecodeOptions = {}): Promise<Sentence[]> {
    const { decode, types } = this.description;
    const overlap = decode.kind === "tags" ? decode.overlap : (options.overlap ?? decode.overlap);
    const minScore = options.minScore ?? decode.minScore;
    const found = sentences.map((): Candidate[] => []);
    const pieces = cut(sentences, (sentence) => this.feeder.size(sentence));
    const groups = pieceGroups(pieces, (length) => this.decoder.items(length));
    for (const group of groups) {
      const scored = await this.scores(group.map(({ window }) => window.sentence));
      group.forEach(({ at, window }, i) => {
        found[at]!.push(...owned(this.decoder.candidates(biased(scored[i]!, decode.bias)), window));
      });
    }
    return sentences.map((sentence, i) => {
      const entities = resolve(found[i]!, overlap).map((each) => entityOf(each, types));
      const kept = entities.filter(({ score }) => score! >= minScore);
      return annotate(sentence, { entities: kept, rejected: [], unsure: [], complete: [] });
    });
  }

  /** What the model says of every item of sentences that go through it at once. */
  async scores(sentences: readonly Sentence[]): Promise<ItemScores[]> {
    const { inputs, outputs, labels } = this.description;
    const all = { ...this.feeder.feed(sentences), ...spanFeeds(inputs, sentences) };
    const feeds: Record<string, unknown> = {};
    for (const name of this.session.inputNames) {
      const numbers = own<Numbers>(all, name);
      if (!numbers) throw new InputError(`the model reads an input "${name}" that lacuna.json does not describe`);
      const type = numbers.data instanceof Float32Array ? "float32" : "int32";
      feeds[name] = new this.ort.Tensor(type, numbers.data, numbers.shape);
    }
    const results = await this.session.run(feeds as never).catch((error: unknown) => {
      throw new InputError(`the model cannot be run on the inputs of lacuna.json: ${messageOf(error)}`);
    });
    const items = sentences.map((sentence) => this.decoder.items(tokenCount(sentence)));
    const width = Math.max(1, ...items.map(({ size }) => size));
    const shape = [sentences.length, width, labels.length];
    const [logits, logProbs] = [outputs.scores, outputs.logProbs].map((name) => outputOf(results, name, shape));
    return items.map((each, b) => {
      const part = (all: Float32Array): Float32Array =>
        all.subarray(b * width * labels.length, (b * width + each.size) * labels.length);
      return { items: each, logits: part(logits!), logProbs: part(logProbs!) };
    });
  }

  /** Frees the model. */
  async dispose(): Promise<void> {
    await this.session.release();
  }
}

/** An output, `[sentences, items, labels]`. */
function outputOf(results: Readonly<Record<string, OnnxResult>>, name: string, shape: readonly number[]): Float32Array {
  const found = own(results, name);
  if (found === undefined) throw new InputError(`the model has no output ${unknownName(name, Object.keys(results))}`);
  if (found.dims.join() !== shape.join())
    throw new InputError(`the output "${name}" must be [${shape.join(", ")}], got [${found.dims.join(", ")}]`);
  return found.data as Float32Array;
}
