import { z } from "zod";
import { teacherNames } from "./teachers.ts";

const share = z.number().min(0).max(1);

export const selfTrainSettings = z.strictObject({
  /** The method of the first teachers; `auto` is `uniform` for spans and `ce` for heads that train all their items. */
  teacher: z.enum(["auto", ...teacherNames]).default("auto"),
  /** The encoder of the teachers as on the command line; `same` is that of the student. */
  encoder: z.string().default("same"),
  /** Every sentence is relabelled by a model that was trained on the other folds; 1 is a teacher that has seen it, for comparison. */
  folds: z.int().min(1).default(3),
  /** How many teachers judge a sentence: so many cross-fits, each with folds and seeds of its own, are averaged. */
  repeats: z.int().min(1).default(1),
  /**
   * Epochs of each teacher. Late ones learn the silence by heart: `auto` is up to those of the student where a dev set ends them,
   * else `half`.
   */
  epochs: z.union([z.enum(["auto", "half"]), z.int().min(1)]).default("auto"),
  /**
   * Evaluations on dev without a better result after which a teacher stops, with its best state; 0 trains on to the last. The first
   * epochs on a small corpus go up and down, so one is too few.
   */
  patience: z.int().min(0).default(3),
  /** How often teachers are trained, each time on the labels that the last ones made. */
  rounds: z.int().min(1).default(1),
  /** Rounds end when no larger share of the labels has changed since the round before. */
  settle: share.default(0.01),
  /**
   * A given label stays when the teachers give it at least this probability; 0 keeps them all. `auto` is 0 where dev says that few
   * labels are wrong, else 0.5.
   */
  keep: z.union([z.literal("auto"), share]).default("auto"),
  /** A given label that does not stay gives way to what has at least this probability; 0 believes the teachers. */
  sure: share.default(0),
  /** Silence is no entity when that has at least this probability. Leaving doubtful text out leaves out hard negatives. */
  outside: share.default(0),
  /** Silence becomes an entity that the teachers predict with at least this probability. */
  entity: share.default(0),
});
export type SelfTrainSettings = z.output<typeof selfTrainSettings>;
