import { documentPieces, lacuna } from "../../formats/index.ts";
import { predictInSlices, Recogniser } from "../../inference/index.ts";
import type { Document } from "../../text/index.ts";
import { InputError } from "../../util/errors.ts";
import type { Block } from "../blocks.ts";
import { filesOfModel, hashOfModel } from "../model-hash.ts";
import { marked } from "./marked-text.ts";
import { settingsOf } from "./settings.ts";
import type { Output, ShardWork } from "./shard-work.ts";
import { expectedLosses, type TagSettings, tagSchema } from "./tag-settings.ts";

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
      pieces: (blocks, { seen }) => taggedPieces(predicted(recogniser, blocks, seen), format),
      close: () => recogniser.dispose(),
    };
  },
};

async function* predicted(
  recogniser: Recogniser,
  blocks: AsyncIterable<Block>,
  seen: (document: Document) => void,
): AsyncGenerator<Document, void, undefined> {
  for await (const block of blocks)
    for await (const document of predictInSlices(recogniser, block)) {
      seen(document);
      yield document;
    }
}

function taggedPieces(documents: AsyncIterable<Document>, format: TagSettings["format"]): Output {
  if (format === "text") return { pieces: marked(documents), losses: () => [] };
  const { pieces, losses } = documentPieces(documents, lacuna.name, { onLoss: "list" });
  return { pieces, losses: () => losses().filter(({ what }) => !expectedLosses.has(what)) };
}
