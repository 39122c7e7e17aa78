import { z } from "zod";
import { documentPieces } from "../../formats/index.ts";
import { conflictPolicies, type Labelled, label, overlapPolicies, readMatcher } from "../../lexicon/index.ts";
import type { Document, Scheme } from "../../text/index.ts";
import { InputError } from "../../util/errors.ts";
import { hashFile } from "../../util/file-hash.ts";
import { documentsOf } from "../blocks.ts";
import { readingSchema } from "./reading.ts";
import { settingsOf } from "./settings.ts";
import type { ShardWork } from "./shard-work.ts";
import { worthLabelling } from "./worth-labelling.ts";

export const labelSchema = z.strictObject({
  /** The compiled dictionaries. */
  matcher: z.string(),
  hash: z.string(),
  policy: z.strictObject({
    overlaps: z.enum(Object.keys(overlapPolicies) as [keyof typeof overlapPolicies]),
    conflicts: z.enum(conflictPolicies),
    complete: z.union([z.boolean(), z.array(z.string())]),
    existing: z.enum(["keep", "replace"]),
  }),
  to: z.string(),
  scheme: z.custom<Scheme>((value) => typeof value === "string").optional(),
  reading: readingSchema,
});
export type LabelSettings = z.output<typeof labelSchema>;

export const labelWork: ShardWork = {
  files: async (given) => [settingsOf(labelSchema, given).matcher],
  async open(given, { threads }) {
    const { matcher: file, hash, policy, to, scheme, reading } = settingsOf(labelSchema, given);
    if ((await hashFile(file)) !== hash)
      throw new InputError("are not the dictionaries that the work was planned with; plan anew", { file });
    const matcher = await readMatcher(file);
    return {
      reading,
      pieces(blocks, { format, seen }) {
        const labelled = label(documentsOf(blocks, worthLabelling(format)), matcher, {
          ...policy,
          workers: threads - 1,
        });
        return documentPieces(passed(labelled, seen), to, {
          scheme,
          silence: policy.complete === false ? "unknown" : "negative",
          onLoss: "list",
        });
      },
      async close() {},
    };
  },
};

async function* passed(
  labelled: AsyncIterable<Labelled>,
  seen: (document: Document) => void,
): AsyncGenerator<Document, void, undefined> {
  for await (const { document } of labelled) {
    seen(document);
    yield document;
  }
}
