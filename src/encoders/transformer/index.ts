import { z } from "zod";
import type { Sentence } from "../../text/index.ts";
import type { Encoder } from "../encoder.ts";
import { type EncoderKind, pretrainedFrom } from "../kind.ts";
import { openBody, restoreBody, type TransformerBody, type TransformerSettings, transformerSettings } from "./body.ts";

const named = z.strictObject({
  name: z.literal("transformer"),
  /** A Hugging Face directory, or an installed package that holds one. */
  from: pretrainedFrom,
  ...transformerSettings.shape,
});

export const transformerKind = {
  name: "transformer",
  usage: "transformer:DIR",
  description: "a pretrained model of the BERT family, fine-tuned; DIR is a directory or an installed package",
  settings: named,
  open: ({ name, from, ...settings }, sentences) => loadTransformer(from, sentences, settings),
  restore: restoreTransformer,
} satisfies EncoderKind<z.output<typeof named>>;

/**
 * A pretrained model of the BERT family as an encoder: a Hugging Face directory, or an installed package that holds
 * one. The training sentences say which characters word features know.
 */
export async function loadTransformer(
  nameOrDirectory: string,
  sentences: Iterable<Sentence>,
  settings: TransformerSettings = transformerSettings.parse({}),
): Promise<Encoder> {
  return assemble(await openBody(nameOrDirectory, sentences, settings), nameOrDirectory);
}

/** The encoder of a saved model; its weights are zero until they are read. */
function restoreTransformer(
  { name: _, from, ...settings }: z.output<typeof named>,
  saved: Readonly<Record<string, string>>,
): Encoder {
  return assemble(restoreBody(settings, saved), from);
}

function assemble(body: TransformerBody, from: string): Encoder {
  return {
    name: "transformer",
    settings: { ...body.settings, name: "transformer", from },
    tables: [body.table],
    pretrained: [body.pretrained],
    size: (sentence) => body.size(sentence),
    flops: (batch) => body.flops(batch),
    batch: (sentences) => body.batch(sentences, body.layOut(sentences)),
    build(params, context) {
      return body.encoded(params, body.states(params, context), context);
    },
    files: () => body.files(),
    portable: async () => ({ inputs: body.specs() }),
  };
}

export { type TransformerSettings, transformerSettings } from "./body.ts";
