import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import {
  checked,
  type Measure,
  type MeasuredRun,
  type MeasuredStudy,
  matches,
  type Summary,
  selection,
  selectionCheck,
  summarise,
  valueFor,
} from "../studies/index.ts";
import { InputError, unknownName } from "../util/errors.ts";
import { readStructured } from "../util/structured-file.ts";
import { significanceAmong } from "./significance.ts";
import { assertOnlySeedsMixed } from "./table.ts";

const labels = z.array(z.string()).min(1);

/** The few figures of many studies that a reader wants first: a line for each data set. */
const digestSchema = z.strictObject({
  title: z.string(),
  /** What all lines have in common. */
  text: z.string(),
  rows: z
    .array(
      z.strictObject({
        data: z.string(),
        study: z.string(),
        /** Runs that differ in their method and their seed only. */
        where: selection,
        /** Labels on the axis `method`; of several, the best on dev is shown. */
        methods: z.strictObject({ plain: labels, papers: labels.optional(), selfTraining: labels.optional() }),
        published: z.strictObject({ f1: z.number(), source: z.string() }),
      }),
    )
    .min(1),
});
type DigestRow = z.output<typeof digestSchema>["rows"][number];

const head = [
  "data",
  "plain",
  "plain, shifted",
  "best of the papers' methods",
  "self-training, ensemble or `auto`",
  "seeds",
  "published",
];
const align = ["---", "---:", "---:", "---:", "---:", "---:", "---"];
const legend =
  "Against plain training with the shift, paired bootstrap over seeds and sentences: \\* p < 0.05, \\*\\* p < 0.01. Of several methods the best on dev is shown.";

/** The table that `digest.yaml` of a folder of studies asks for; nothing where there is none. */
export async function digestSection(
  root: string,
  studies: ReadonlyMap<string, MeasuredStudy>,
): Promise<string | undefined> {
  const file = join(root, "digest.yaml");
  if (!existsSync(file)) return undefined;
  const { title, text, rows } = checked(digestSchema, await readStructured(file, "digest"), { file, what: "digest" });
  const lines = rows.map((row, index) => cellsOf(row, runsFor(row, studies, { file, path: `rows.${index}` })));
  const table = [head, align, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  return `## ${title}\n\n${text.trim()}\n\n${table}\n\n${legend}\n`;
}

/** Gives the runs of a row that have one of some methods. A label that the study does not have is refused. */
function runsFor(
  { study: name, where, methods }: DigestRow,
  studies: ReadonlyMap<string, MeasuredStudy>,
  { file, path }: { readonly file: string; readonly path: string },
): (method: string) => MeasuredRun[] {
  const found = studies.get(name);
  if (!found)
    throw new InputError(`not a digest: ${path}.study: unknown ${unknownName(name, studies.keys())}`, { file });
  const check = selectionCheck(found.opened.study, { file, what: "digest" });
  check(where, `${path}.where`);
  for (const [column, wanted] of Object.entries(methods)) check({ method: wanted ?? [] }, `${path}.methods.${column}`);
  return (method) => {
    const wanted = { ...where, method: [method] };
    const runs = found.measured.filter(({ place }) => matches(place, wanted));
    assertOnlySeedsMixed(runs, [], `${file}: ${path}`);
    return runs;
  };
}

interface Contender {
  readonly method: string;
  readonly runs: readonly MeasuredRun[];
}

function cellsOf({ data, methods, published }: DigestRow, runsOf: (method: string) => MeasuredRun[]): string[] {
  const best = (names: readonly string[] = []): Contender | undefined => bestOnDev(names, runsOf);
  const [plain, papers, selfTraining] = [best(methods.plain), best(methods.papers), best(methods.selfTraining)];
  const wasShifted = plain?.runs.every(({ result }) => result.unshifted !== undefined);
  const counts = [plain, papers, selfTraining].flatMap((each) => each?.runs.length ?? []);
  const [low, high] = [Math.min(...counts), Math.max(...counts)];
  return [
    data,
    text(plain, wasShifted ? "unshifted.f1" : "test.f1"),
    wasShifted ? text(plain, "test.f1") : "–",
    named(papers, plain),
    named(selfTraining, plain),
    counts.length === 0 ? "–" : low === high ? String(low) : `${low}–${high}`,
    `${published.f1.toFixed(2)}, ${published.source}`,
  ];
}

function bestOnDev(
  methods: readonly string[],
  runsOf: (method: string) => readonly MeasuredRun[],
): Contender | undefined {
  const contenders = methods.map((method) => ({ method, runs: runsOf(method) })).filter(({ runs }) => runs.length > 0);
  const onDev = ({ runs }: Contender): number => summaryOf(runs, "dev.f1")?.mean ?? 0;
  return contenders.sort((a, b) => onDev(b) - onDev(a))[0];
}

function summaryOf(runs: readonly MeasuredRun[], measure: Measure): Summary | undefined {
  return summarise(runs.flatMap(({ result }) => valueFor(result, measure) ?? []));
}

function text(contender: Contender | undefined, measure: Measure): string {
  const summary = contender && summaryOf(contender.runs, measure);
  if (!summary) return "–";
  const { mean, deviation } = summary;
  return `${mean.toFixed(2)}${deviation === undefined ? "" : ` ± ${deviation.toFixed(2)}`}`;
}

/** A figure with the method that has it, marked where plain training is behind or ahead by more than chance. */
function named(contender: Contender | undefined, plain: Contender | undefined): string {
  if (!contender) return "–";
  const results = (runs: readonly MeasuredRun[] = []) => runs.map(({ result }) => result);
  const [baseline, others] = [results(plain?.runs), results(contender.runs)];
  const p = significanceAmong([...baseline, ...others])(baseline, others) ?? 1;
  const stars = p < 0.01 ? "\\*\\*" : p < 0.05 ? "\\*" : "";
  return `\`${contender.method}\` ${text(contender, "test.f1")}${stars}`;
}
