import type { Sentence } from "../../text/index.ts";
import type { Encoder } from "../encoder.ts";
import { openBody, restoreBody, type TransformerBody, type TransformerSettings, transformerSettings } from "./body.ts";

/**
 * A pretrained model of the BERT family as an encoder: a Hugging Face directory, or an installed package that holds
 * one. The training sentences say which characters word features know.
 */
export async function loadTransformer(
  nameOrDirectory: string,
  sentences: Iterable<Sentence>,
  settings: TransformerSettings = transformerSettings.parse({}),
): Promise<Encoder> {
  return assemble(await openBody(nameOrDirectory, sentences, settings));
}

/** The encoder of a saved model; its weights are zero until they are read. */
export function restoreTransformer(settings: TransformerSettings, saved: Readonly<Record<string, string>>): Encoder {
  return assemble(restoreBody(settings, saved));
}

function assemble(body: TransformerBody): Encoder {
  return {
    name: "transformer",
    settings: { ...body.settings },
    tables: [body.table],
    pretrained: [body.pretrained],
    size: (sentence) => body.size(sentence),
    flops: (batch) => body.flops(batch),
    batch: (sentences) => body.batch(sentences, body.layOut(sentences)),
    build(params, context) {
      return body.encoded(params, body.states(params, context), context);
    },
    files: () => body.files(),
  };
}

export { type TransformerSettings, transformerSettings } from "./body.ts";
