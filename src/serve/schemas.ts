import { z } from "zod";
import { decodeSettings } from "../inference/index.ts";

export const offsetNames = ["utf-16", "code-points"] as const;
export type Offsets = (typeof offsetNames)[number];

const parameters = z
  .strictObject({
    minScore: decodeSettings.shape.minScore.unwrap().meta({ description: "Leave out entities with a lower score." }),
    overlap: decodeSettings.shape.overlap
      .unwrap()
      .meta({ description: "Which entities may stand together; as the model was trained when missing." }),
    offsets: z.enum(offsetNames).meta({
      description: "What start and end count: UTF-16 code units, as JavaScript, or code points, as Python.",
    }),
    ignore_labels: z.array(z.string()).meta({ description: "Types to leave out." }),
    aggregation_strategy: z
      .enum(["simple", "first", "average", "max"])
      .meta({ description: "Understood for the sake of clients that send it: entities are always whole." }),
  })
  .partial();

/** The body of a request, as the token-classification task of Hugging Face has it. */
export const tagRequest = z
  .strictObject({
    inputs: z.union([z.string(), z.array(z.string())]).meta({ description: "A text, or a list of texts." }),
    parameters: parameters.optional(),
  })
  .meta({ id: "TagRequest", examples: [{ inputs: "Ana Lopes moved to Lisbon.", parameters: { minScore: 0.5 } }] });
export type TagRequest = z.output<typeof tagRequest>;
export type TagParameters = NonNullable<TagRequest["parameters"]>;

export const entity = z
  .object({
    entity_group: z.string().meta({ description: "The type." }),
    score: z.number().min(0).max(1),
    word: z.string().meta({ description: "The entity as it stands in the text." }),
    start: z.int().min(0),
    end: z.int().min(0).meta({ description: "The offset behind its last character." }),
  })
  .meta({ id: "Entity" });
export type EntityAnswer = z.output<typeof entity>;

/** A list of entities, or one such list for each text of a list. */
export const tagAnswer = z.union([z.array(entity), z.array(z.array(entity))]).meta({ id: "TagAnswer" });

export const modelList = z
  .array(z.object({ name: z.string(), types: z.array(z.string()), workers: z.int().min(0) }))
  .meta({ id: "Models", description: "The models by name; the first answers requests that name none." });

export const health = z
  .object({ status: z.enum(["ok", "stopping", "unavailable"]) })
  .meta({ id: "Health", description: "200 when ok, else 503." });

export const failure = z.object({ error: z.string() }).meta({ id: "Error" });
