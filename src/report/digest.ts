import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { migrateSettings } from "../methods/index.ts";
import type { Result } from "../studies/index.ts";
import {
  checked,
  type MeasuredRun,
  type MeasuredStudy,
  matches,
  selection,
  selectionCheck,
  summarise,
  valueFor,
} from "../studies/index.ts";
import { InputError, unknownName } from "../util/errors.ts";
import { readStructured } from "../util/structured-file.ts";
import { encoderLabel } from "./encoder-label.ts";
import { assertOnlySeedsMixed } from "./table.ts";

/** The few figures of many studies that a reader wants first. */
const digestSchema = z.strictObject({
  title: z.string(),
  rows: z
    .array(
      z.strictObject({
        data: z.string(),
        study: z.string(),
        /** Runs that differ in their seed only. */
        where: selection,
        published: z.strictObject({ f1: z.number(), source: z.string() }).optional(),
      }),
    )
    .min(1),
});
type DigestRow = z.output<typeof digestSchema>["rows"][number];

/** The table that `digest.yaml` of a folder of studies asks for; nothing where there is none. */
export async function digestSection(
  root: string,
  studies: ReadonlyMap<string, MeasuredStudy>,
): Promise<string | undefined> {
  const file = join(root, "digest.yaml");
  if (!existsSync(file)) return undefined;
  const { title, rows } = checked(digestSchema, await readStructured(file, "digest"), { file, what: "digest" });
  const head = ["data", "method", "model, encoder; parameters", "epochs", "seeds", "test F1", "published"];
  const align = head.map((name) => (["epochs", "seeds", "test F1"].includes(name) ? "---:" : "---"));
  const lines = rows.map((row, index) => cellsOf(row, chosenRuns(row, studies, { file, path: `rows.${index}` })));
  return `## ${title}\n\n${[head, align, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

/** The runs of a row. A row without any is a mistake of whoever wrote it: only what was measured is worth a first look. */
function chosenRuns(
  { study: name, where }: DigestRow,
  studies: ReadonlyMap<string, MeasuredStudy>,
  { file, path }: { readonly file: string; readonly path: string },
): MeasuredRun[] {
  const found = studies.get(name);
  if (!found)
    throw new InputError(`not a digest: ${path}.study: unknown ${unknownName(name, studies.keys())}`, { file });
  selectionCheck(found.opened.study, { file, what: "digest" })(where, `${path}.where`);
  const runs = found.measured.filter(({ place }) => matches(place, where));
  if (runs.length === 0) throw new InputError(`${path}: no run of ${name} has a result`, { file });
  assertOnlySeedsMixed(runs, [], `${file}: ${path}`);
  return runs;
}

function cellsOf({ data, published }: DigestRow, runs: readonly MeasuredRun[]): string[] {
  const results = runs.map(({ result }) => result);
  const { result } = runs[0]!;
  const { mean, deviation, count } = summarise(results.map((each) => valueFor(each, "test.f1")!))!;
  return [
    data,
    methodOf(runs[0]!),
    `${modelOf(result)}, ${encoderLabel(results)}`,
    String(result.settings.epochs),
    String(count),
    `${mean.toFixed(2)}${deviation === undefined ? "" : ` ± ${deviation.toFixed(2)}`}`,
    published ? `${published.f1.toFixed(2)}, ${published.source}` : "",
  ];
}

/** What the study calls the method where that says more than its name: `nrces w = 2`. */
function methodOf({ place, result }: MeasuredRun): string {
  const name = String(result.settings.method);
  return place.method?.startsWith(name) ? place.method : name;
}

function modelOf({ settings }: Result): string {
  return (migrateSettings(settings).head as { readonly name?: string }).name === "token" ? "tagger" : "spans";
}
