import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { makeSentence, type Sentence } from "../../text/index.ts";
import { gaussian, random } from "../../util/random.ts";
import { type NumberArray, writeSafetensors } from "../../util/safetensors.ts";
import type { ModelType } from "./config.ts";

/** A model small enough to compute by hand, in the form in which Hugging Face keeps it. */
export interface TinyModel {
  readonly config: Readonly<Record<string, unknown>>;
  readonly tensors: Readonly<Record<string, NumberArray>>;
  readonly tokenizer: Readonly<Record<string, unknown>>;
}

const sizes = { hidden: 8, heads: 2, layers: 2, inner: 12, positions: 16 };

export const wordPieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"].concat(
  ["the", "cat", "##s", "sat", "on", "mat", "##ting", "a", "b", "##a", "##b", ".", "(", ")"],
  ["new", "york", "##er", "[", "]", "sep"],
);

export function tinyModel(type: ModelType, changes: Readonly<Record<string, unknown>> = {}): TinyModel {
  const tokenizer = type === "roberta" ? byteLevelTokenizer() : wordPieceTokenizer({ lowercase: true });
  const vocabulary = Object.keys((tokenizer.model as { vocab: object }).vocab).length + 2;
  const config = { ...configOf(type, vocabulary), ...changes };
  return { config, tokenizer, tensors: randomTensors(shapesOf(type, config)) };
}

function configOf(type: ModelType, vocabulary: number): Record<string, unknown> {
  const { hidden, heads, layers, inner, positions } = sizes;
  if (type === "distilbert") {
    const numbers = { dim: hidden, n_heads: heads, n_layers: layers, hidden_dim: inner, vocab_size: vocabulary };
    return { model_type: type, activation: "gelu", max_position_embeddings: positions, pad_token_id: 0, ...numbers };
  }
  const fromPadding = type === "roberta" || type === "mpnet";
  return {
    model_type: type,
    hidden_act: "gelu",
    hidden_size: hidden,
    num_attention_heads: heads,
    num_hidden_layers: layers,
    intermediate_size: inner,
    max_position_embeddings: fromPadding ? positions + 2 : positions,
    type_vocab_size: type === "roberta" ? 1 : 2,
    vocab_size: vocabulary,
    pad_token_id: fromPadding ? 1 : 0,
    layer_norm_eps: fromPadding ? 1e-5 : 1e-12,
    ...(type === "mpnet" && { relative_attention_num_buckets: 32 }),
    ...(type === "electra" && { embedding_size: 4 }),
  };
}

/** Names and shapes as the architectures have them, written out rather than derived. */
function shapesOf(type: ModelType, config: Readonly<Record<string, unknown>>): Record<string, number[]> {
  const { hidden, inner, layers } = sizes;
  const width = (config.embedding_size as number | undefined) ?? hidden;
  const shapes: Record<string, number[]> = {
    "embeddings.word_embeddings.weight": [config.vocab_size as number, width],
    "embeddings.position_embeddings.weight": [config.max_position_embeddings as number, width],
    "embeddings.LayerNorm.weight": [width],
    "embeddings.LayerNorm.bias": [width],
  };
  if (type !== "distilbert" && type !== "mpnet")
    shapes["embeddings.token_type_embeddings.weight"] = [config.type_vocab_size as number, width];
  if (width !== hidden) {
    shapes["embeddings_project.weight"] = [hidden, width];
    shapes["embeddings_project.bias"] = [hidden];
  }
  if (type === "mpnet") shapes["encoder.relative_attention_bias.weight"] = [32, config.num_attention_heads as number];
  for (let i = 0; i < layers; i++) {
    const [names, norms] = partsOf(type);
    const path = `${type === "distilbert" ? "transformer" : "encoder"}.layer.${i}`;
    names.forEach((name, k) => {
      const [rows, columns] = k === 4 ? [inner, hidden] : k === 5 ? [hidden, inner] : [hidden, hidden];
      shapes[`${path}.${name}.weight`] = [rows!, columns!];
      shapes[`${path}.${name}.bias`] = [rows!];
    });
    for (const name of norms) {
      shapes[`${path}.${name}.weight`] = [hidden];
      shapes[`${path}.${name}.bias`] = [hidden];
    }
  }
  return shapes;
}

/** The linear layers of a block, inner and outer at the end, and its norms. */
function partsOf(type: ModelType): [names: readonly string[], norms: readonly string[]] {
  if (type === "distilbert") {
    const attention = ["attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin"];
    return [
      [...attention, "ffn.lin1", "ffn.lin2"],
      ["sa_layer_norm", "output_layer_norm"],
    ];
  }
  const behind = ["intermediate.dense", "output.dense"];
  if (type === "mpnet") {
    const attention = ["attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o"];
    return [
      [...attention, ...behind],
      ["attention.LayerNorm", "output.LayerNorm"],
    ];
  }
  const attention = ["query", "key", "value"].map((part) => `attention.self.${part}`);
  return [
    [...attention, "attention.output.dense", ...behind],
    ["attention.output.LayerNorm", "output.LayerNorm"],
  ];
}

function randomTensors(shapes: Readonly<Record<string, readonly number[]>>): Record<string, NumberArray> {
  return Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => {
      const rng = random(1, "tiny", name);
      const centre = /norm\.weight$/i.test(name) ? 1 : 0;
      const data = Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => centre + 0.5 * gaussian(rng));
      return [name, { data, shape }];
    }),
  );
}

/** With truncation and padding switched on, as some packages have them. */
export function wordPieceTokenizer({ lowercase }: { lowercase: boolean }): Record<string, unknown> {
  const vocab = Object.fromEntries(wordPieces.map((piece, id) => [piece, id]));
  const special = (id: string): unknown => ({ SpecialToken: { id, type_id: 0 } });
  const single = [special("[CLS]"), { Sequence: { id: "A", type_id: 0 } }, special("[SEP]")];
  const describe = (id: string): unknown => ({ id, ids: [vocab[id]], tokens: [id] });
  return {
    version: "1.0",
    truncation: { max_length: 4, strategy: "LongestFirst", stride: 0 },
    padding: { strategy: { Fixed: 6 }, direction: "Right", pad_id: 0, pad_type_id: 0, pad_token: "[PAD]" },
    added_tokens: wordPieces.slice(0, 5).map((content, id) => ({ id, content, special: true, normalized: false })),
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single,
      pair: single,
      special_tokens: { "[CLS]": describe("[CLS]"), "[SEP]": describe("[SEP]") },
    },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab,
    },
  };
}

/** Byte-level pairs as RoBERTa has them; Ġ stands for the space before a word. */
export function byteLevelTokenizer(): Record<string, unknown> {
  const pieces = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", "Ġ", "a", "b", "c", "t", "s", "Ġc", "at", "Ġcat", "Ġa"];
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: pieces.slice(0, 5).map((content, id) => ({ id, content, special: true, normalized: false })),
    normalizer: null,
    pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: {
      type: "RobertaProcessing",
      sep: ["</s>", 2],
      cls: ["<s>", 0],
      trim_offsets: true,
      add_prefix_space: false,
    },
    decoder: { type: "ByteLevel", add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: "BPE",
      dropout: null,
      unk_token: null,
      vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
      merges: ["Ġ c", "a t", "Ġc at", "Ġ a"],
    },
  };
}

/** Writes the three files into a folder that lasts as long as the test. */
export async function writeModel({ config, tensors, tokenizer }: TinyModel): Promise<string> {
  const directory = await temporaryFolder();
  await writeFile(join(directory, "config.json"), JSON.stringify(config));
  await writeFile(join(directory, "tokenizer.json"), JSON.stringify(tokenizer));
  await writeSafetensors(join(directory, "model.safetensors"), tensors);
  return directory;
}

export async function temporaryFolder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "lacuna-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** A sentence of words with single spaces between them. */
export function sentenceOf(text: string): Sentence {
  const offsets = Array.from(text.matchAll(/\S+/g), ({ index, 0: word }) => [index, index + word.length]).flat();
  return makeSentence(text, Int32Array.from(offsets));
}
