import { describe, expect, it } from "vitest";
import { InputError } from "../../util/errors.ts";
import { type Architecture, parseArchitecture } from "./config.ts";

const bert = {
  model_type: "bert",
  hidden_size: 384,
  num_attention_heads: 12,
  num_hidden_layers: 6,
  intermediate_size: 1536,
  max_position_embeddings: 512,
  type_vocab_size: 2,
  vocab_size: 30522,
  hidden_act: "gelu",
  hidden_dropout_prob: 0.2,
  attention_probs_dropout_prob: 0.3,
  layer_norm_eps: 1e-7,
};

const parse = (config: object): Architecture => parseArchitecture(JSON.stringify(config), "config.json");

describe("parseArchitecture", () => {
  it("reads BERT", () => {
    expect(parse(bert)).toEqual({
      type: "bert",
      vocabulary: 30522,
      embedding: 384,
      hidden: 384,
      layers: 6,
      heads: 12,
      inner: 1536,
      positions: 512,
      positionOffset: 0,
      tokenTypes: 2,
      distanceBuckets: 0,
      padding: 0,
      epsilon: 1e-7,
      activation: "gelu",
      dropout: 0.2,
      attentionDropout: 0.3,
    });
  });

  it("keeps the rows before RoBERTa's first position out of its length", () => {
    const config = {
      ...bert,
      model_type: "roberta",
      max_position_embeddings: 514,
      pad_token_id: 1,
      type_vocab_size: 1,
    };
    expect(parse(config)).toMatchObject({ positions: 512, positionOffset: 2, padding: 1, tokenTypes: 1 });
  });

  it("reads MPNet, which counts positions as RoBERTa does and has classes of distances in place of token types", () => {
    const config = { ...bert, model_type: "mpnet", max_position_embeddings: 514 };
    const expected = { positions: 512, positionOffset: 2, padding: 1, tokenTypes: 0, distanceBuckets: 32 };
    expect(parse(config)).toMatchObject(expected);
    expect(parse({ ...config, relative_attention_num_buckets: 16 })).toMatchObject({ distanceBuckets: 16 });
    const rule = "relative_attention_num_buckets: must";
    expect(() => parse({ ...config, relative_attention_num_buckets: 3 })).toThrow(
      `${rule} be a whole number from 4 to 256, got 3`,
    );
    expect(() => parse({ ...config, relative_attention_num_buckets: 300 })).toThrow(
      `${rule} be a whole number from 4 to 256, got 300`,
    );
  });

  it("reads DistilBERT's own names", () => {
    const numbers = { dim: 16, n_heads: 4, n_layers: 3, hidden_dim: 64, dropout: 0.15, attention_dropout: 0.05 };
    const config = {
      model_type: "distilbert",
      ...numbers,
      vocab_size: 99,
      max_position_embeddings: 40,
      activation: "relu",
    };
    expect(parse(config)).toMatchObject({
      ...{ hidden: 16, heads: 4, layers: 3, inner: 64, dropout: 0.15, attentionDropout: 0.05 },
      ...{ activation: "relu", tokenTypes: 0, epsilon: 1e-12 },
    });
  });

  it("reads the width of ELECTRA's embeddings", () => {
    expect(parse({ ...bert, model_type: "electra", embedding_size: 128 })).toMatchObject({
      embedding: 128,
      hidden: 384,
    });
    expect(parse({ ...bert, model_type: "electra" })).toMatchObject({ embedding: 384 });
  });

  it.each([
    [
      { ...bert, model_type: "deberta-v2" },
      'model_type: architecture not supported: "deberta-v2" (known: bert, roberta, distilbert, electra, mpnet)',
    ],
    [{ ...bert, model_type: undefined }, 'model_type: architecture not supported: "undefined" (known: bert,'],
    [
      { ...bert, position_embedding_type: "relative_key" },
      'kind of positions not supported: "relative_key" (known: absolute)',
    ],
    [
      { ...bert, hidden_act: "swish" },
      'hidden_act: activation not supported: "swish" (known: gelu, gelu_new, gelu_pytorch_tanh, relu)',
    ],
    [{ ...bert, hidden_size: 385 }, "hidden_size: must be a multiple of the 12 attention heads, got 385"],
    [{ ...bert, num_hidden_layers: 2.5 }, "num_hidden_layers: must be a whole number from 1 to 1000, got 2.5"],
    [{ ...bert, vocab_size: "many" }, 'vocab_size: must be a number, got "many"'],
    [{ ...bert, intermediate_size: null }, "intermediate_size or hidden_dim: must be a number, got undefined"],
  ])("refuses what it cannot build: %#", (config, message) => {
    expect(() => parse(config)).toThrow(InputError);
    expect(() => parse(config)).toThrow(
      `config.json: ${message.startsWith("kind") ? "position_embedding_type: " : ""}${message}`,
    );
  });

  it("refuses a file that holds no object", () => {
    expect(() => parseArchitecture("[]", "config.json")).toThrow("config.json: must hold a JSON object, got []");
    expect(() => parseArchitecture("bert", "config.json")).toThrow("config.json: is not JSON");
  });
});
