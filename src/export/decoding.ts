import type { Decoding } from "../heads/index.ts";
import { decodeSettings, type LoadedModel, labelBiases } from "../inference/index.ts";
import type { DecodeDescription } from "../web/index.ts";

/**
 * What an exported model says of decoding. The shift of its decision becomes a bias of labels, which runtimes add to the
 * scores before they decode.
 */
export function decodingOf({ model, config }: LoadedModel, decoding: Decoding): DecodeDescription {
  const { shift, overlap, minScore } = decodeSettings.parse({
    ...(config.training.decode as object | undefined),
    ...config.decode,
  });
  const biases = typeof shift === "string" ? undefined : labelBiases(model, shift);
  return {
    ...decoding,
    bias: biases ? [...biases] : model.labels.map(() => 0),
    overlap: model.overlap ?? overlap,
    minScore,
  };
}
