import { z } from "zod";

/** What silence means in a file of a study; `unlabelled` takes its labels away too, for methods that learn from bare text. */
export const fileSilence = z.enum(["unknown", "negative", "unlabelled"]);

/** A file of training data, and what of it a run takes. */
export interface TrainFile {
  readonly file: string;
  readonly silence: z.output<typeof fileSilence>;
  readonly types?: readonly string[] | undefined;
  readonly part?: readonly [number, number] | undefined;
}
