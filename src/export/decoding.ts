import type { Decoding } from "../heads/index.ts";
import { decodeSettings, type LoadedModel } from "../inference/index.ts";
import type { DecodeDescription } from "../web/index.ts";

/**
 * What an exported model says of decoding. A shift of the decision, a number for each type by which O gains on it, becomes
 * a bias of the labels of that type; runtimes add it to the scores before they decode.
 */
export function decodingOf(
  { model, config }: LoadedModel,
  decoding: Decoding,
  shift: Readonly<Record<string, number>> = {},
): DecodeDescription {
  const settings = decodeSettings.parse({ ...(config.training.decode as object | undefined) });
  const typeOf = (label: string): string => (decoding.kind === "tags" ? label.slice(label.indexOf("-") + 1) : label);
  return {
    ...decoding,
    bias: model.labels.map((label, i) => (i === 0 ? 0 : -(shift[typeOf(label)] ?? 0) || 0)),
    overlap: model.overlap ?? settings.overlap,
    minScore: settings.minScore,
  };
}
