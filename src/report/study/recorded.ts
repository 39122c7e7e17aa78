import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { InputError } from "../../util/errors.ts";
import { readStructured } from "../../util/structured-file.ts";

/** A table of records that a script of its own has stored in `results.jsonl`: which fields, under which titles. */
const recordedSchema = z.strictObject({
  title: z.string(),
  purpose: z.string(),
  command: z.string(),
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
  /** Records must have one of these values. */
  where: z.record(z.string(), z.array(z.union([z.string(), z.number()]))).default({}),
});

/** The page of a folder with a `recorded.yaml`; nothing where there is none. */
export async function recordedPage(folder: string, level: number): Promise<string | undefined> {
  const file = join(folder, "recorded.yaml");
  if (!existsSync(file)) return undefined;
  const parsed = recordedSchema.safeParse(await readStructured(file, "table of records"));
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw new InputError(`not a table of records: ${path.join(".")}: ${message}`, { file });
  }
  const { title, purpose, command, columns, where } = parsed.data;
  const text = await readFile(join(folder, "results.jsonl"), "utf8");
  const records = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const chosen = records.filter((record) =>
    Object.entries(where).every(([field, values]) => values.includes(record[field] as string | number)),
  );
  const rows = chosen.map((record) =>
    columns.map(({ field, percent, digits }) => {
      const value = record[field];
      return typeof value === "number" ? formatted(value, percent, digits) : String(value ?? "–");
    }),
  );
  const table = [columns.map((column) => column.title), columns.map(() => "---"), ...rows].map(
    (cells) => `| ${cells.join(" | ")} |`,
  );
  return [
    `${"#".repeat(level)} ${title}\n`,
    `${purpose.trim()}\n`,
    `Command: \`${command}\`.\n`,
    `${table.join("\n")}\n`,
  ].join("\n");
}

function formatted(value: number, percent: boolean, digits: number): string {
  return Number.isInteger(value) && !percent ? String(value) : (percent ? 100 * value : value).toFixed(digits);
}
