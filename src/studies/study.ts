import { z } from "zod";
import { readStructured } from "../util/structured-file.ts";
import { checked } from "./described-file.ts";
import { figureSchema } from "./figure-schema.ts";
import { tableSchema } from "./table-schema.ts";
import { fileSilence } from "./train-file.ts";

const settingsInput = z.record(z.string(), z.unknown());

/** A file of training data: by name, or with what silence means in it and what of it is taken. */
const trainFile = z.preprocess(
  (given) => (typeof given === "string" ? { file: given } : given),
  z.strictObject({
    file: z.string(),
    silence: fileSilence.default("unknown"),
    /** Labels of other types are taken away, and silence speaks of these types alone. */
    types: z.array(z.string()).min(1).optional(),
    /** `[k, n]`: the sentences are cut into n parts of like size, and the k-th is taken. */
    part: z
      .tuple([z.int().min(1), z.int().min(1)])
      .refine(([k, n]) => k <= n, { message: "expected [k, n] with k from 1 to n" })
      .optional(),
  }),
);

const hiddenBy = z.enum(["mention", "fraction", "surface"]);

/** Files below the data folder. A folder alone stands for its `train.conll`, `dev.conll` and `test.conll`. */
const dataSchema = z.preprocess(
  (given) => (typeof given === "string" ? { folder: given } : given),
  z
    .strictObject({
      folder: z.string().optional(),
      /** What the tables call it. */
      title: z.string().optional(),
      train: z.preprocess(
        (given) => (Array.isArray(given) || given === undefined ? given : [given]),
        z.array(trainFile).min(1).optional(),
      ),
      dev: z.string().optional(),
      test: z.string().optional(),
      /** How annotations are hidden in these data, where that is not what the study says. */
      masking: z.strictObject({ by: hiddenBy.optional(), seed: z.int().optional() }).default({}),
      settings: settingsInput.default({}),
    })
    .refine(({ folder, train, dev, test }) => folder !== undefined || (train && dev && test), {
      message: "expected a folder, or the files train, dev and test",
    }),
);

const scalar = z.union([z.string(), z.number()]);

/** The values of an axis: settings by name, or the values of one setting. */
const axisSchema = z.union([
  z.strictObject({ setting: z.string(), values: z.array(z.unknown()).min(1) }),
  z.record(z.string(), settingsInput),
]);

/** Axes that every study has, beside its own, which may not have their names; `epoch` is what figures call the epochs. */
const takenNames = ["data", "rate", "seed", "epoch"];

export const studySchema = z.strictObject({
  title: z.string(),
  /** What the study is to show. */
  purpose: z.string(),
  /** Where the data are, unless the command says it; seen from the working folder. */
  dataFolder: z.string().default("../shared/data"),
  data: z.record(z.string(), dataSchema),
  /** How annotations are hidden, where a run has a rate. */
  masking: z.strictObject({ by: hiddenBy.default("mention"), seed: z.int().default(1) }).prefault({}),
  /** Settings of all runs; those of the data, then those of the axes go over them. */
  settings: settingsInput.default({}),
  axes: z
    .record(
      z
        .string()
        .refine((name) => !takenNames.includes(name), { message: "expected another name, every study has this axis" }),
      axisSchema,
    )
    .default({}),
  /** Shares of the annotations to hide; none for data as they are. */
  rates: z.array(z.number().min(0).max(1)).default([]),
  seeds: z.array(z.int()).min(1).default([1]),
  /**
   * Products of axes: a group names the values it takes of an axis. It takes all values of an axis that it does not
   * name, and leaves out an axis of which it names none.
   */
  groups: z
    .array(z.record(z.string(), z.union([scalar.transform((value) => [value]), z.array(scalar)])))
    .min(1)
    .default([{}]),
  tables: z.array(tableSchema).default([]),
  figures: z.array(figureSchema).default([]),
});
export type Study = z.output<typeof studySchema>;
export type StudyInput = z.input<typeof studySchema>;

/** Reads and checks a study file. */
export async function readStudy(file: string): Promise<Study> {
  return parseStudy(await readStructured(file, "study"), file);
}

export function parseStudy(given: unknown, file: string): Study {
  return checked(studySchema, given, { file, what: "study" });
}
