import { z } from "zod";
import {
  add,
  and,
  cast,
  constant,
  dimension,
  div,
  equal,
  exp,
  flatten,
  gather,
  greater,
  less,
  log,
  matmul,
  max,
  mul,
  not,
  pad,
  reshape,
  sizeOf,
  sqrt,
  stopGradient,
  sub,
  sum,
  type Tensor,
  topK,
  unsqueeze,
  where,
} from "../tensor/index.ts";
import { hasLabel } from "./cross-entropy.ts";
import type { Objective, Scored } from "./objective.ts";

export const contrastiveSettings = z.strictObject({
  /** λ: the loss is (1 − λ) times the objective plus λ times this; 0 leaves it out. */
  weight: z.number().min(0).lt(1).default(0),
  /** τ: the cosines are divided by it. */
  temperature: z.number().positive().default(0.1),
  /** A pair competes with all other spans, or with spans of other labels only, as the paper has it. */
  denominator: z.enum(["all", "negatives"]).default("all"),
  /** "Not an entity" is a label like the others; otherwise its spans only compete. */
  includeO: z.boolean().default(true),
  /** Spans of a batch that take part at most: entities first, the others at random. */
  maxAnchors: z.int().min(2).default(512),
  /** The sum over anchors is divided by their number, or by a constant as in the authors' code. */
  scale: z.union([z.literal("anchors"), z.number().positive()]).default("anchors"),
});
export type ContrastiveSettings = z.output<typeof contrastiveSettings>;

/** Adds the contrastive loss to an objective: (1 − λ)·objective + λ·contrastive. */
export function withContrastive(objective: Objective, settings: ContrastiveSettings): Objective {
  const { weight } = settings;
  if (weight === 0) return objective;
  return {
    ...objective,
    name: `${objective.name} and contrastive`,
    loss: (scored) => add(mul(objective.loss(scored), 1 - weight), mul(contrastive(scored, settings), weight)),
  };
}

/**
 * Supervised contrastive loss (Si et al.: SCL): hidden states of one label are pulled together and away from the others.
 * For an anchor s, log Σ exp cos(s, t)/τ over its competitors t, minus the mean of cos(s, s′)/τ over spans of its label.
 * An anchor needs another span of its label and one of another label.
 */
export function contrastive(
  scored: Participating,
  { temperature, denominator, includeO, maxAnchors, scale }: Omit<ContrastiveSettings, "weight">,
): Tensor {
  const { vectors, labels, present } = participants(scored, maxAnchors);
  const near = matmul(vectors, vectors, { transB: true, scale: 1 / temperature }); // [anchors, anchors]
  const pairs = and(and(column(present), row(present)), not(diagonal(maxAnchors)));
  const alike = equal(column(labels), row(labels));
  const same = cast(and(pairs, alike), "float32");
  const other = and(pairs, not(alike));
  const [partners, rivals] = [total(same), total(cast(other, "float32"))]; // [anchors]
  const able = and(greater(partners, 0.5), greater(rivals, 0.5));
  const anchors = includeO ? able : and(able, greater(labels, 0));

  const competition = logSumExpOf(near, denominator === "all" ? pairs : other, 1 / temperature);
  const attraction = div(total(mul(same, near)), where(anchors, partners, 1));
  const losses = sum(where(anchors, sub(competition, attraction), 0));
  return div(losses, scale === "anchors" ? add(sum(cast(anchors, "float32")), 1e-9) : scale);
}

/** Items without one label, restricted ones and those with a target, take no part: nobody knows whom they are like. */
type Participating = Pick<Scored, "hidden" | "labels" | "weights" | "noise" | "allowed" | "targets">;

interface Participants {
  /** Unit vectors `[anchors, width]`. */
  readonly vectors: Tensor;
  /** int32 `[anchors]` */
  readonly labels: Tensor;
  /** bool `[anchors]`: false where the batch has fewer spans. */
  readonly present: Tensor;
}

/** The spans of a batch that are compared: a fixed number of places, so that the cost has a bound. */
function participants(scored: Participating, places: number): Participants {
  const { hidden, labels, weights, noise } = scored;
  const count = sizeOf(labels.shape);
  const flat = (x: Tensor): Tensor => reshape(x, [count]);
  const entity = cast(greater(labels, 0), "float32");
  const labelled = hasLabel(scored);
  const trains = greater(labelled ? mul(weights, labelled) : weights, 0);
  const priority = flat(where(trains, add(add(entity, 1), noise), 0));
  const { values, places: chosen } = topK(pad(priority, 0, 0, places), places);
  // Places behind the end of the batch are padding; they read the first span and count for nothing.
  const ids = where(less(chosen, dimension(count)), chosen, 0);
  const vectors = gather(flatten(hidden), ids);
  const lengths = sqrt(add(sum(mul(vectors, vectors), { axes: -1, keep: true }), 1e-16));
  return { vectors: div(vectors, lengths), labels: gather(flat(labels), ids), present: greater(values, 0) };
}

/** log Σ exp over the marked scores of each row, of which none is above the bound in size; 0 where none is marked. */
function logSumExpOf(scores: Tensor, marked: Tensor, bound: number): Tensor {
  const top = stopGradient(max(where(marked, scores, -bound), { axes: -1, keep: true }));
  const sums = total(exp(where(marked, sub(scores, top), never)));
  const some = greater(sums, 0);
  return where(some, add(log(where(some, sums, 1)), reshape(top, sums.shape)), 0);
}

/** exp of this is 0. */
const never = -1e4;

function total(x: Tensor): Tensor {
  return sum(x, { axes: -1 });
}

function column(x: Tensor): Tensor {
  return unsqueeze(x, -1);
}

function row(x: Tensor): Tensor {
  return unsqueeze(x, 0);
}

function diagonal(size: number): Tensor {
  const places = constant(
    Array.from({ length: size }, (_, i) => i),
    [size],
    "int32",
  );
  return equal(column(places), row(places));
}
