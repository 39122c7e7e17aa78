/** The smallest files of each kind of tokenizer, and the configuration of a model that goes with them. */

const special = (content: string, id: number) => ({ id, content, special: true, normalized: false });
const template = (first: string, last: string) => ({
  type: "TemplateProcessing",
  single: [
    { SpecialToken: { id: first, type_id: 0 } },
    { Sequence: { id: "A", type_id: 0 } },
    { SpecialToken: { id: last, type_id: 0 } },
  ],
  pair: [],
  special_tokens: {
    [first]: { id: first, ids: [2], tokens: [first] },
    [last]: { id: last, ids: [3], tokens: [last] },
  },
});

const pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b", "cat", "##s", "lisbon", "##a"];

export const wordPieces = {
  version: "1.0",
  added_tokens: pieces.slice(0, 4).map(special),
  normalizer: {
    type: "BertNormalizer",
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: "BertPreTokenizer" },
  post_processor: template("[CLS]", "[SEP]"),
  decoder: { type: "WordPiece", prefix: "##", cleanup: true },
  model: {
    type: "WordPiece",
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
  },
};

const bytes = ["<s>", "<pad>", "</s>", "<unk>", "Ġ", "a", "c", "t", "s", "Ġc", "at", "Ġcat"];

export const bytePairs = {
  version: "1.0",
  added_tokens: bytes.slice(0, 4).map(special),
  normalizer: {
    type: "Sequence",
    normalizers: [{ type: "NFC" }, { type: "Replace", pattern: { Regex: " {2,}" }, content: " " }],
  },
  pre_tokenizer: {
    type: "Sequence",
    pretokenizers: [
      { type: "Split", pattern: { Regex: "'s|\\p{L}+|\\s+" }, behavior: "Isolated", invert: false },
      { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: false },
    ],
  },
  post_processor: {
    type: "RobertaProcessing",
    sep: ["</s>", 2],
    cls: ["<s>", 0],
    trim_offsets: true,
    add_prefix_space: false,
  },
  decoder: { type: "ByteLevel" },
  model: {
    type: "BPE",
    unk_token: "<unk>",
    vocab: Object.fromEntries(bytes.map((piece, id) => [piece, id])),
    merges: ["Ġ c", "a t", "Ġc at"],
  },
};

export const unigrams = {
  version: "1.0",
  added_tokens: ["<s>", "<pad>", "</s>", "<unk>"].map(special),
  normalizer: null,
  pre_tokenizer: { type: "Metaspace", replacement: "▁", add_prefix_space: true },
  post_processor: template("<s>", "</s>"),
  decoder: { type: "Metaspace", replacement: "▁", add_prefix_space: true },
  model: {
    type: "Unigram",
    unk_id: 3,
    vocab: [
      ["<s>", 0],
      ["<pad>", 0],
      ["</s>", 0],
      ["<unk>", 0],
      ["▁", -2],
      ["a", -3],
      ["▁cat", -4],
      ["s", -5],
    ],
  },
};

export const config = {
  model_type: "bert",
  vocab_size: pieces.length,
  hidden_size: 4,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  intermediate_size: 8,
  hidden_act: "gelu",
  max_position_embeddings: 16,
  type_vocab_size: 2,
  layer_norm_eps: 1e-12,
  hidden_dropout_prob: 0.1,
  attention_probs_dropout_prob: 0.1,
  pad_token_id: 0,
};
