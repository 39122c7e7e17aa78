import { logChoose, logIncompleteBeta } from "./special-functions.ts";

/** A surface form: how often it stands in the text, and how often it is labelled there (once at least). */
export interface LabelledForm {
  readonly labelled: number;
  readonly occurrences: number;
}

/** What is believed of the share of missing labels: a histogram whose masses sum to 1. */
export interface GapPosterior {
  /** The middle of each cell, ascending. */
  readonly shares: readonly number[];
  readonly masses: readonly number[];
  /** The width of a cell. */
  readonly step: number;
}

/**
 * How often a form is an entity where it stands, θ, has the density aθᵃ⁻¹. Most forms are entities (almost) wherever they
 * stand; a word like "May" or a frequent character is one now and then. Which of these shapes fits is left
 * open: all are averaged with equal weight before the data are seen, and so is the share of the first kind.
 */
const faithfulShapes = [Number.POSITIVE_INFINITY, 100, 30] as const;
const ambiguousShapes = [0.25, 0.5, 1, 2] as const;
const mixtures = Array.from({ length: 20 }, (_, i) => (i + 0.5) / 20);

/** Cells of the histogram; the first ones only find the stretch that the last one divides. */
const looks = [20, 20, 60] as const;
/** Cells this much less likely than the best are left out of the next, closer look. */
const negligible = 16;

/**
 * The posterior of the share of missing labels, 1 − r, with every share equally likely before.
 * A form that stands n times and is an entity in a share θ of them is labelled k ~ Binomial(n, rθ) times. Forms with no
 * label at all are never seen, so each probability is divided by that of k ≥ 1.
 */
export function gapPosterior(forms: readonly LabelledForm[]): GapPosterior {
  const table = countForms(forms);
  let [low, high] = [0, 1];
  for (const cells of looks.slice(0, -1)) {
    const { logs, step } = look(table, low, high, cells);
    const likely = logs.map((value) => value > Math.max(...logs) - negligible);
    // One more cell on either side: the peak may lie between two middles.
    high = Math.min(1, low + (likely.lastIndexOf(true) + 2) * step);
    low = Math.max(0, low + (likely.indexOf(true) - 1) * step);
  }
  const { logs, step } = look(table, low, high, looks.at(-1)!);
  const best = Math.max(...logs);
  const weights = logs.map((value) => Math.exp(value - best)).reverse();
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    shares: weights.map((_, i) => 1 - high + (i + 0.5) * step),
    masses: weights.map((weight) => weight / total),
    step,
  };
}

/** ln of the evidence for the label rates in the middle of equal cells. */
function look(table: FormTable, low: number, high: number, cells: number): { logs: number[]; step: number } {
  const step = (high - low) / cells;
  return { logs: Array.from({ length: cells }, (_, i) => logEvidence(table, low + (i + 0.5) * step)), step };
}

/** Forms that are alike, counted once. */
interface FormTable {
  readonly labelled: readonly number[];
  readonly occurrences: readonly number[];
  readonly weights: readonly number[];
  /** ln of occurrences choose labelled. */
  readonly choices: readonly number[];
  /** Distinct numbers of occurrences, and how many forms have each. */
  readonly sizes: readonly number[];
  readonly sizeWeights: readonly number[];
}

function countForms(forms: readonly LabelledForm[]): FormTable {
  const counts = new Map<string, { form: LabelledForm; weight: number }>();
  const sizes = new Map<number, number>();
  for (const form of forms) {
    const key = `${form.labelled} ${form.occurrences}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { form, weight: 1 });
    else known.weight++;
    sizes.set(form.occurrences, (sizes.get(form.occurrences) ?? 0) + 1);
  }
  const rows = [...counts.values()];
  return {
    labelled: rows.map(({ form }) => form.labelled),
    occurrences: rows.map(({ form }) => form.occurrences),
    weights: rows.map(({ weight }) => weight),
    choices: rows.map(({ form }) => logChoose(form.occurrences, form.labelled)),
    sizes: [...sizes.keys()],
    sizeWeights: [...sizes.values()],
  };
}

/** ln of the probability of the forms at label rate r, up to a constant: averaged over shapes and mixtures. */
function logEvidence(table: FormTable, rate: number): number {
  const faithful = faithfulShapes.map((shape) => component(table, shape, rate));
  const ambiguous = ambiguousShapes.map((shape) => component(table, shape, rate));
  const logs: number[] = [];
  for (const first of faithful) for (const second of ambiguous) logs.push(...mixtureLogs(table, first, second));
  const best = Math.max(...logs);
  return best + Math.log(logs.reduce((sum, value) => sum + Math.exp(value - best), 0));
}

/** One shape at one rate: ln of the probability of each form, and the probability that a form of each size is seen. */
interface Component {
  readonly logs: Float64Array;
  readonly seen: Float64Array;
}

function component({ labelled, occurrences, choices, sizes }: FormTable, shape: number, rate: number): Component {
  const logOf = (k: number, n: number): number =>
    shape === Number.POSITIVE_INFINITY
      ? k * Math.log(rate) + (n - k) * Math.log1p(-rate)
      : Math.log(shape) - shape * Math.log(rate) + logIncompleteBeta(k + shape, n - k + 1, rate);
  return {
    logs: Float64Array.from(labelled, (k, i) => choices[i]! + logOf(k, occurrences[i]!)),
    seen: Float64Array.from(sizes, (n) => -Math.expm1(logOf(0, n))),
  };
}

/**
 * For each mixture of two components, ln of the probability of all forms given that each has a label. The ambiguous
 * shapes reach up to θ = 1, so that the first component is never more than about n times as likely as the second.
 */
function mixtureLogs({ weights, sizeWeights }: FormTable, first: Component, second: Component): number[] {
  const scale = weights.reduce((sum, weight, i) => sum + weight * second.logs[i]!, 0);
  const odds = first.logs.map((log, i) => Math.exp(log - second.logs[i]!));
  return mixtures.map((share) => {
    let sum = scale;
    for (let i = 0; i < odds.length; i++) sum += weights[i]! * Math.log(share * odds[i]! + 1 - share);
    for (let i = 0; i < sizeWeights.length; i++) {
      sum -= sizeWeights[i]! * Math.log(share * first.seen[i]! + (1 - share) * second.seen[i]!);
    }
    return sum;
  });
}
