import { z } from "zod";
import { documentPieces, lacuna, limits } from "../../formats/index.ts";
import { predictInSlices, Recogniser } from "../../inference/index.ts";
import type { Document } from "../../text/index.ts";
import { InputError } from "../../util/errors.ts";
import { filesOfModel, hashOfModel } from "../model-hash.ts";
import { marked } from "./marked-text.ts";
import { readingSchema } from "./reading.ts";
import { settingsOf } from "./settings.ts";
import type { Output, ShardWork } from "./shard-work.ts";

/** What a shard of tagged text may be written as: formats that can be joined. */
export const tagFormats = ["text", "jsonl"] as const;

export const tagSchema = z.strictObject({
  model: z.string(),
  /** Of the model's files: a machine with another model under the same path must not take part. */
  hash: z.string(),
  format: z.enum(tagFormats),
  decode: z.strictObject({
    minScore: z.number().optional(),
    overlap: z.enum(["flat", "nested", "all"]).optional(),
    shift: z.number().optional(),
  }),
  parts: z.record(z.string(), z.string()).optional(),
  reading: readingSchema,
});
export type TagSettings = z.output<typeof tagSchema>;

/** A prediction has scores, and documents names and spaces, which columns do not hold: known, and no surprise. */
export const expectedLosses: ReadonlySet<string> = new Set(
  [limits.scores, limits.ids, limits.spacing].map(({ what }) => what),
);

export const tagWork: ShardWork = {
  async files(given) {
    const { model, parts } = settingsOf(tagSchema, given);
    if (parts !== undefined) throw new InputError("--upload: a model with --part needs a shared folder");
    return filesOfModel(model);
  },
  async open(given, { threads }) {
    const { model, hash, format, decode, parts, reading } = settingsOf(tagSchema, given);
    if ((await hashOfModel(model)) !== hash)
      throw new InputError("is not the model that the work was planned with; copy it here, or plan anew", {
        file: model,
      });
    const recogniser = await Recogniser.load(model, {
      decode: JSON.parse(JSON.stringify(decode)),
      ...(parts && { parts }),
      threads,
    });
    return {
      reading,
      pieces: (documents, { seen }) => taggedPieces(predicted(recogniser, documents, seen), format),
      close: () => recogniser.dispose(),
    };
  },
};

async function* predicted(
  recogniser: Recogniser,
  documents: AsyncIterable<Document>,
  seen: (document: Document) => void,
): AsyncGenerator<Document, void, undefined> {
  for await (const document of predictInSlices(recogniser, documents)) {
    seen(document);
    yield document;
  }
}

function taggedPieces(documents: AsyncIterable<Document>, format: TagSettings["format"]): Output {
  if (format === "text") return { pieces: marked(documents), losses: () => [] };
  const { pieces, losses } = documentPieces(documents, lacuna.name, { onLoss: "list" });
  return { pieces, losses: () => losses().filter(({ what }) => !expectedLosses.has(what)) };
}
