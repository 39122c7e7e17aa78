import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Entity, makeSentence, type Sentence } from "../src/text/index.ts";
import { gaussian, type Random, random } from "../src/util/random.ts";
import { writeSafetensors } from "../src/util/safetensors.ts";

const characters = Array.from({ length: 3000 }, (_, i) => String.fromCharCode(0x4e00 + i));
const listedWords = 20_000;

/** Made-up words of two to four Chinese characters. */
export function makeWordList(): string[] {
  const rng = random(1, "bench", "words");
  const words = new Set<string>();
  while (words.size < listedWords) words.add(Array.from({ length: 2 + rng.below(3) }, () => draw(rng)).join(""));
  return [...words];
}

/** Sentences of such words, each character a token; one word in eight is an entity. */
export function makeSentences(words: readonly string[], count: number): Sentence[] {
  const rng = random(1, "bench", "sentences");
  return Array.from({ length: count }, () => {
    const length = 20 + rng.below(40);
    const entities: Entity[] = [];
    let text = "";
    while (text.length < length) {
      const word = rng.below(2) === 0 ? draw(rng) : words[rng.below(words.length)]!;
      if (word.length > 1 && rng.below(8) === 0)
        entities.push({ start: text.length, end: text.length + word.length, type: rng.below(2) === 0 ? "A" : "B" });
      text += word;
    }
    const offsets = Int32Array.from({ length: 2 * text.length }, (_, i) => (i + 1) >> 1);
    return makeSentence(text, offsets, { entities });
  });
}

function draw(rng: Random): string {
  return characters[rng.below(characters.length)]!;
}

const sizes = { hidden: 512, layers: 4, heads: 8, inner: 2048, positions: 512 };

/** A model of the size of bge-small-zh, but for its vocabulary, with random weights: what it costs does not depend on them. */
export async function writeRandomModel(folder: string): Promise<void> {
  const special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];
  const vocab = Object.fromEntries([...special, ...characters].map((piece, id) => [piece, id]));
  const { hidden, layers, heads, inner, positions } = sizes;
  const vocabulary = Object.keys(vocab).length;
  const config = {
    model_type: "bert",
    hidden_size: hidden,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    intermediate_size: inner,
    max_position_embeddings: positions,
    vocab_size: vocabulary,
  };
  const tokenizer = {
    added_tokens: special.map((content, id) => ({ id, content, special: true, normalized: false })),
    normalizer: { type: "BertNormalizer", lowercase: true, handle_chinese_chars: true, clean_text: true },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: { type: "BertProcessing", sep: ["[SEP]", 3], cls: ["[CLS]", 2] },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: { type: "WordPiece", unk_token: "[UNK]", continuing_subword_prefix: "##", vocab },
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "config.json"), JSON.stringify(config));
  await writeFile(join(folder, "tokenizer.json"), JSON.stringify(tokenizer));
  await writeSafetensors(join(folder, "model.safetensors"), Object.fromEntries(tensors(vocabulary)));
}

function* tensors(vocabulary: number): Generator<[string, { data: Float32Array; shape: number[] }]> {
  const { hidden, layers, inner, positions } = sizes;
  const filled = (
    name: string,
    shape: number[],
    value: (rng: Random) => number,
  ): [string, { data: Float32Array; shape: number[] }] => {
    const rng = random(1, "bench", name);
    return [name, { shape, data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => value(rng)) }];
  };
  const small = (rng: Random): number => 0.02 * gaussian(rng);
  const linear = (name: string, rows: number, columns: number) => [
    filled(`${name}.weight`, [rows, columns], small),
    filled(`${name}.bias`, [rows], () => 0),
  ];
  const norm = (name: string) => [
    filled(`${name}.weight`, [hidden], () => 1),
    filled(`${name}.bias`, [hidden], () => 0),
  ];
  yield filled("embeddings.word_embeddings.weight", [vocabulary, hidden], small);
  yield filled("embeddings.position_embeddings.weight", [positions, hidden], small);
  yield filled("embeddings.token_type_embeddings.weight", [2, hidden], small);
  yield* norm("embeddings.LayerNorm");
  for (let i = 0; i < layers; i++) {
    const layer = `encoder.layer.${i}`;
    for (const part of ["self.query", "self.key", "self.value", "output.dense"])
      yield* linear(`${layer}.attention.${part}`, hidden, hidden);
    yield* norm(`${layer}.attention.output.LayerNorm`);
    yield* linear(`${layer}.intermediate.dense`, inner, hidden);
    yield* linear(`${layer}.output.dense`, hidden, inner);
    yield* norm(`${layer}.output.LayerNorm`);
  }
}
