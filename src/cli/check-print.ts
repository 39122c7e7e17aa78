import {
  type Diagnosis,
  describeOrdinary,
  type Estimate,
  type MissingEstimates,
  type SamplingOutlook,
  type Sparsity,
} from "../evaluation/index.ts";
import type { FileDiagnosis, FilePosition } from "./check-places.ts";
import { percent } from "./evaluate-print.ts";
import { grouped } from "./progress.ts";
import { table } from "./table.ts";
import { shortened, wrapped } from "./terminal.ts";
import { describeSize, plural } from "./watch.ts";

export interface DescribeOptions {
  /** Positions name their file; needless where there is only one. */
  readonly fileNames?: boolean;
}

export function describeDiagnosis(diagnosis: FileDiagnosis, { fileNames = false }: DescribeOptions = {}): string {
  const name = sentenceNamer(fileNames);
  return [
    describeCounts(diagnosis),
    typeTable(diagnosis),
    describeWidths(diagnosis),
    describeSparsity(diagnosis.sparsity),
    describeBounds(diagnosis.sampling),
    describeScenarios(diagnosis.sampling),
    describeDuplicates(diagnosis.duplicates, name),
    describeConflicts(diagnosis.conflicts, name),
    ...ordinaryParts(diagnosis),
    describeMissing(diagnosis.missing),
  ].join("\n\n");
}

function describeCounts({ counts, origins }: FileDiagnosis): string {
  const { length, sentencesWithoutEntities, completeSentences, rejected, unsure } = counts;
  const lines = [
    describeSize(counts),
    `Sentences have ${length.mean.toFixed(1)} tokens on average: a quarter up to ${length.q25}, half up to ${length.median}, ` +
      `three quarters up to ${length.q75}, 95 % up to ${length.q95}, the longest ${length.max}.`,
    `${plural(sentencesWithoutEntities, "sentence has", "sentences have")} no entity; ${plural(completeSentences, "is", "are")} declared complete.`,
  ];
  if (rejected + unsure > 0)
    lines.push(`${plural(rejected, "span is", "spans are")} rejected, ${grouped(unsure)} undecided.`);
  if (origins.fromDictionary > 0) {
    const names = Object.keys(origins.sources).slice(0, 3).join(", ");
    const made = `${grouped(origins.fromDictionary)} of ${plural(origins.labels, "label")}`;
    lines.push(`A dictionary made ${made}${names === "" ? "" : ` (sources: ${names})`}.`);
  }
  return wrapped(lines.join("\n"));
}

function typeTable({ counts, widths }: FileDiagnosis): string {
  const rows = Object.entries(counts.byType).map(([type, { entities, share, density, surfaces, once }]) => {
    const { median, q95, max } = widths.byType[type]!;
    return [
      type,
      grouped(entities),
      percent(share),
      percent(density),
      grouped(surfaces),
      grouped(once),
      ...[median, q95, max].map(String),
    ];
  });
  const { median, q95, max } = widths.all;
  const all = ["all", grouped(counts.entities), "", percent(counts.density), "", "", ...[median, q95, max].map(String)];
  const head = ["type", "entities", "%", "per 100 tokens", "names", "once", "median width", "95 %", "widest"];
  return table([head, ...rows, all]);
}

function describeWidths({ widths }: FileDiagnosis): string {
  const rows = widths.losses.map(({ limit, lost, share }) => [String(limit), grouped(lost), percent(share)]);
  return table([["width limit", "entities lost", "%"], ...rows]);
}

const bins = [5, 10, 20, 30, 50, Number.POSITIVE_INFINITY];

function describeSparsity({ violations, share, lengths }: Sparsity): string {
  const total = lengths.reduce((sum, { sentences }) => sum + sentences, 0);
  const rows = bins.flatMap((high, i) => {
    const low = i === 0 ? 1 : bins[i - 1]! + 1;
    const inside = lengths.filter(({ length }) => length >= low && length <= high);
    const sentences = inside.reduce((sum, row) => sum + row.sentences, 0);
    if (sentences === 0) return [];
    const entities = inside.reduce((sum, row) => sum + row.mean * row.sentences, 0);
    const over = inside.reduce((sum, row) => sum + row.violations, 0);
    const name = high === Number.POSITIVE_INFINITY ? `${low} and more` : `${low} to ${high}`;
    return [[name, grouped(sentences), (entities / sentences).toFixed(2), grouped(over), percent(over / sentences)]];
  });
  return [
    wrapped(
      `${grouped(violations)} of ${plural(total, "sentence")} (${percent(share)} %) ${violations === 1 ? "has" : "have"} more annotated entities than the square root of the length.`,
    ),
    table([["tokens", "sentences", "mean entities", "above √length", "%"], ...rows]),
  ].join("\n");
}

function describeBounds({ rate, bounds }: SamplingOutlook): string {
  const rows = bounds.map(({ length, draws, exact, bound8, bound9, bound11 }) => [
    String(length),
    String(draws),
    ...[exact, bound8, bound9].map(percent),
    bound11 === undefined ? "–" : percent(bound11),
  ]);
  return [
    wrapped(
      `Uniform sampling at rate ${rate}: chance (%) that no hidden entity is drawn from a sentence with √length of them`,
    ),
    table([["tokens", "draws", "exact", "bound (8)", "bound (9)", "bound (11)"], ...rows]),
  ].join("\n");
}

function describeScenarios({ rate, limit, scenarios }: SamplingOutlook): string {
  const head = ["missing", "negatives", "sentences", "hidden entities", "negatives after mask"];
  const rows = scenarios.map(({ share, missing, masked, largestRate }) => [
    `${percent(share)}`,
    ...[missing.negatives, missing.sentences, missing.hidden, masked.negatives].map((each) => (100 * each).toFixed(3)),
    ...(largestRate === undefined ? [] : [largestRate.negatives, largestRate.sentences].map(rateName)),
  ]);
  const limited = limit === undefined ? [] : [`rate, negatives`, `rate, sentences`];
  const lines = [
    wrapped(
      `Expected missampling (%) at rate ${rate} if a share of the entities is missing: drawn negatives that are hidden entities, ` +
        "sentences with such a negative, hidden entities that are drawn; and negatives if the share were hidden with `lacuna mask`",
    ),
    table([[...head, ...limited], ...rows]),
  ];
  if (limit !== undefined)
    lines.push(
      wrapped(`The last columns are the highest rates that keep the share of either within ${percent(limit)} %.`),
    );
  return lines.join("\n");
}

function rateName(rate: number | null): string {
  return rate === null ? "none" : rate.toFixed(2);
}

function describeDuplicates(
  { sentences, disagreeing, examples }: FileDiagnosis["duplicates"],
  name: SentenceNamer,
): string {
  return [
    wrapped(
      `${plural(sentences, "sentence repeats", "sentences repeat")} an earlier one, ${grouped(disagreeing)} with other annotations.`,
    ),
    ...examples.map(({ text, first, other }) => example(`${quoted(text)}  ${name(first)} and ${name(other)}`)),
  ].join("\n");
}

/** Only where there are some: texts of many kinds and scripts have none. */
function ordinaryParts({ ordinary }: FileDiagnosis): string[] {
  if (ordinary.count === 0) return [];
  return [wrapped(`${describeOrdinary(ordinary)}. lacuna train --set ordinary=drop leaves them out.`)];
}

function describeConflicts(conflicts: FileDiagnosis["conflicts"], name: SentenceNamer): string {
  const { surfaces, halfLabelled, unlabelled, severalTypes, examples } = conflicts;
  const token = ([first]: readonly FilePosition[]): string => `${name(first!)}, token ${first!.start + 1}`;
  return [
    wrapped(
      `${grouped(halfLabelled)} of ${plural(surfaces, "name")} ${halfLabelled === 1 ? "is" : "are"} labelled in one place and not in another (${plural(unlabelled, "place")}); ` +
        `${plural(severalTypes, "has", "have")} labels of several types.`,
    ),
    ...examples.map((each) => {
      const labels = Object.entries(each.labelled).map(([type, count]) => `${type} ${grouped(count)}`);
      const places = `labelled at ${token(each.labelledAt)}, not at ${token(each.unlabelledAt)}`;
      return example(
        `${quoted(each.surface)}  ${labels.join(", ")}, unlabelled ${grouped(each.unlabelled)}: ${places}`,
      );
    }),
  ].join("\n");
}

type SentenceNamer = (position: FilePosition) => string;

/** `train.conll: document 3 ("a17"), sentence 1`, counted from one as people do. */
function sentenceNamer(fileNames: boolean): SentenceNamer {
  return ({ file, document, sentence, id }) => {
    const name = id === undefined ? "" : ` (${JSON.stringify(id)})`;
    return `${fileNames ? `${file}: ` : ""}document ${document + 1}${name}, sentence ${sentence + 1}`;
  };
}

function quoted(text: string): string {
  return JSON.stringify(shortened(text.replaceAll(/\s+/gu, " "), 58));
}

/** A place to look at, set in, with what follows set in further. */
function example(text: string): string {
  return wrapped(`  ${text}`, { indent: "  " });
}

const fromSurfaces = "labelled here, not there";

function describeMissing({ surfaces, sample }: Diagnosis["missing"]): string {
  const methods: [string, MissingEstimates][] = [[fromSurfaces, surfaces]];
  if (sample !== undefined) {
    methods.push(["sample: density", sample.density], ["sample: names", sample.names]);
    if (sample.recall !== undefined) methods.push(["sample: recall", sample.recall]);
  }
  const types = [...new Set(methods.flatMap(([, { byType }]) => Object.keys(byType)))].sort();
  const row = (name: string, pick: (estimates: MissingEstimates) => Estimate | undefined): string[] => [
    name,
    ...methods.map(([method, estimates]) => describeEstimate(pick(estimates), method === fromSurfaces)),
  ];
  return [
    "Estimated share of missing entities (%), with 95 % intervals",
    table([
      ["type", ...methods.map(([name]) => name)],
      ...types.map((type) => row(type, ({ byType }) => byType[type])),
      row("all", ({ overall }) => overall),
    ]),
    ...methods.map(([name, { assumes, evidence }]) => wrapped(`${name}: from ${evidence}. Assumes that ${assumes}.`)),
    ...consistencyNote(surfaces).map((line) => wrapped(line)),
  ].join("\n");
}

/** Labels that are all there and labels from a dictionary look alike from inside. */
function consistencyNote({ overall, byType }: MissingEstimates): string[] {
  const all = [overall, ...Object.values(byType)];
  const untold = all.find((estimate) => "because" in estimate);
  if (untold !== undefined && "because" in untold) {
    return [`It cannot be told how much is missing: ${untold.because}. ${sampleAdvice}`];
  }
  if (!all.some(isConsistent)) return [];
  return [
    `Names are labelled everywhere or nowhere: either little is missing, or whole names are, as when a dictionary made the labels. ${sampleAdvice}`,
  ];
}

const sampleAdvice =
  "Only a sample can tell: label some 300 sentences of the corpus fully, picked by chance, and give them as --sample.";

/** True when names are labelled in all places or in none: either nearly all labels are there, or whole names are missing. */
function isConsistent(estimate: Estimate): boolean {
  return estimate.missing !== undefined && estimate.high <= 0.05;
}

function describeEstimate(estimate: Estimate | undefined, fromUse: boolean): string {
  if (estimate === undefined) return "–";
  if ("because" in estimate) return "cannot be told";
  if (estimate.missing === undefined) return `– (${estimate.evidence} of ${estimate.needed} needed)`;
  if (fromUse && isConsistent(estimate)) return `at most ${(100 * estimate.high).toFixed(1)}, or whole names`;
  const [middle, low, high] = [estimate.missing, estimate.low, estimate.high].map((each) => (100 * each).toFixed(1));
  return `${middle} (${low} to ${high})`;
}
