import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { checked } from "../studies/index.ts";
import { InputError, quote } from "../util/errors.ts";
import { parseJson } from "../util/json.ts";
import { readTextFile } from "../util/regular-file.ts";
import { readStructured } from "../util/structured-file.ts";
import { figure, type Mark, type Point } from "./figure.ts";
import type { StudyPage } from "./page.ts";
import { chartDomain } from "./study-figure.ts";

/** Records must have one of these values. */
const where = z.record(z.string(), z.array(z.union([z.string(), z.number()]))).default({});

const tableSchema = z.strictObject({
  title: z.string().optional(),
  columns: z
    .array(
      z.strictObject({
        title: z.string(),
        field: z.string(),
        percent: z.boolean().default(false),
        digits: z.int().min(0).default(2),
      }),
    )
    .min(1),
  where,
});

const axisSchema = z.strictObject({ label: z.string(), field: z.string(), percent: z.boolean().default(false) });

const figureSchema = z.strictObject({
  /** The file's name without ending. */
  name: z.string().regex(/^[\w-]+$/),
  title: z.string(),
  kind: z.enum(["line", "points"]).default("line"),
  x: axisSchema,
  y: axisSchema,
  /** Fields whose values are told apart by colour. */
  series: z.array(z.string()).min(1),
  /** A field whose values get a chart each. */
  panels: z.string().optional(),
  where,
});

/** What is shown of the records that a script of its own has stored in `results.jsonl`. */
const recordedSchema = z.strictObject({
  title: z.string(),
  purpose: z.string(),
  command: z.string(),
  tables: z.array(tableSchema).default([]),
  figures: z.array(figureSchema).default([]),
});

type RecordedTable = z.output<typeof tableSchema>;
type RecordedFigure = z.output<typeof figureSchema>;
type StoredRecord = Readonly<Record<string, unknown>>;

/** The page of a folder with a `recorded.yaml`; nothing where there is none. */
export async function recordedPage(
  folder: string,
  { level, folder: shownFolder }: { readonly level: number; readonly folder: string },
): Promise<StudyPage | undefined> {
  const file = join(folder, "recorded.yaml");
  if (!existsSync(file)) return undefined;
  const what = "table of records";
  const plan = checked(recordedSchema, await readStructured(file, what), { file, what });
  const { title, purpose, command, tables, figures } = plan;
  const records = await storedRecords(join(folder, "results.jsonl"));
  const head = [`${"#".repeat(level)} ${title}\n`, `${purpose.trim()}\n`, `Command: \`${command}\`.\n`];
  if (!records) return { markdown: [...head, "No results yet.\n"].join("\n"), figures: new Map() };
  const markdown = [
    ...head,
    ...tables.map((table) => tableText(table, records)),
    ...figures.map((each) => `![${each.title}](${shownFolder}${each.name}.svg)\n`),
  ].join("\n");
  return { markdown, figures: new Map(figures.map((each) => [each.name, drawing(each, records)])) };
}

async function storedRecords(file: string): Promise<StoredRecord[] | undefined> {
  if (!existsSync(file)) return undefined;
  const lines = (await readTextFile(file)).trimEnd().split("\n");
  return lines.map((line, index) => {
    const place = { file, line: index + 1 };
    const record = z.record(z.string(), z.unknown()).safeParse(parseJson(line, "a record", place));
    if (record.success) return record.data;
    throw new InputError(`not a record: expected an object, got ${quote(line)}`, place);
  });
}

function chosen(records: readonly StoredRecord[], wanted: z.output<typeof where>): readonly StoredRecord[] {
  return records.filter((record) =>
    Object.entries(wanted).every(([field, values]) => values.includes(record[field] as string | number)),
  );
}

function tableText({ title, columns, where: wanted }: RecordedTable, records: readonly StoredRecord[]): string {
  const rows = chosen(records, wanted).map((record) =>
    columns.map(({ field, percent, digits }) => {
      const value = record[field];
      return typeof value === "number" ? formatted(value, percent, digits) : String(value ?? "–");
    }),
  );
  const lines = [columns.map((column) => column.title), columns.map(() => "---"), ...rows].map(
    (cells) => `| ${cells.join(" | ")} |`,
  );
  return `${title === undefined ? "" : `**${title}**\n\n`}${lines.join("\n")}\n`;
}

function formatted(value: number, percent: boolean, digits: number): string {
  return Number.isInteger(value) && !percent ? String(value) : (percent ? 100 * value : value).toFixed(digits);
}

function drawing(plan: RecordedFigure, records: readonly StoredRecord[]): string {
  const { title, kind, x, y, series, panels, where: wanted } = plan;
  const groups = groupBy(chosen(records, wanted), panels === undefined ? [] : [panels]);
  const charts = [...groups].map(([panel, members]) => {
    const marks = [...groupBy(members, series)].flatMap(([name, line]): Mark[] => {
      const points = line.flatMap((record): Point[] => {
        const [at, value] = [numberAt(record, x), numberAt(record, y)];
        return at === undefined || value === undefined ? [] : [[at, value]];
      });
      if (points.length === 0) return [];
      return kind === "points"
        ? [{ name, kind, points }]
        : [
            { name, kind: "line", points },
            { name, kind: "points", points },
          ];
    });
    const points = marks.flatMap((mark) => mark.points);
    return {
      title: [title, ...(panel === "" ? [] : [panel])].join(", "),
      x: { label: x.label, domain: chartDomain(points.map(([at]) => at)) },
      y: { label: y.label, domain: chartDomain(points.map(([, value]) => value)) },
      marks,
    };
  });
  return figure(charts);
}

/** Records with the same values, under these values, in the order in which they first come. */
function groupBy(records: readonly StoredRecord[], fields: readonly string[]): Map<string, StoredRecord[]> {
  const groups = new Map<string, StoredRecord[]>();
  for (const record of records) {
    const name = fields.map((field) => String(record[field])).join(", ");
    groups.set(name, [...(groups.get(name) ?? []), record]);
  }
  return groups;
}

function numberAt(record: StoredRecord, { field, percent }: z.output<typeof axisSchema>): number | undefined {
  const value = record[field];
  return typeof value === "number" ? (percent ? 100 * value : value) : undefined;
}
