import { z } from "zod";
import { measure, selection } from "./table-schema.ts";

/** A chart of results: a measure against an axis with numbers, or against the epochs of training. */
export const figureSchema = z.strictObject({
  /** The file's name without ending. */
  name: z.string().regex(/^[\w-]+$/),
  title: z.string(),
  x: z.string(),
  /** One measure, or several in the same chart. */
  y: z.union([measure.transform((only) => [only]), z.array(measure).min(1)]).default(["test.f1"]),
  /** Axes whose values are told apart by colour. */
  series: z.array(z.string()).min(1),
  /** An axis whose values get a chart each. */
  panels: z.string().optional(),
  where: selection.default({}),
});
export type FigurePlan = z.output<typeof figureSchema>;
