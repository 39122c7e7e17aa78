import type { Measure } from "../studies/index.ts";
import type { BuiltTable, Cell, Row } from "./table.ts";

/** A table as Markdown, with a line below it that says what its signs mean. */
export function tableMarkdown({ title, rowAxes, columns, rows, baseline }: BuiltTable): string {
  const head = [...rowAxes, "encoder; parameters", "seeds", ...columns.map((column) => column.title)];
  const align = head.map((_, i) => (i <= rowAxes.length ? "---" : "---:"));
  const letters = lettersFor(rows);
  const lines = [head, align, ...rows.map((row) => cellsOf(row, rowAxes.length, letters))].map(
    (cells) => `| ${cells.join(" | ")} |`,
  );
  const notes = [
    ...(letters.size === 0
      ? []
      : [`Encoders: ${[...letters].map(([name, letter]) => `${letter} ${name}`).join("; ")}.`]),
    ...(baseline === undefined
      ? []
      : [`Against ${baseline}, paired bootstrap over seeds and sentences: \\* p < 0.05, \\*\\* p < 0.01.`]),
  ];
  return `${[`**${title}**`, lines.join("\n"), ...notes].join("\n\n")}\n`;
}

/** Names of encoders that are too long for a cell stand below the table once, behind a letter. */
const longest = 50;

function lettersFor(rows: readonly Row[]): ReadonlyMap<string, string> {
  const names = rows.flatMap((row) => (row.kind === "ours" ? row.encoder.names : []));
  const long = [...new Set(names)].filter((name) => name.length > longest);
  return new Map(long.map((name, i) => [name, String.fromCodePoint(65 + i)]));
}

function cellsOf(row: Row, axes: number, letters: ReadonlyMap<string, string>): string[] {
  if (row.kind === "paper") {
    const values = row.cells.map((value) => (value === undefined ? "" : `*${value.toFixed(2)}*`));
    return [`*${row.source}*`, ...Array.from({ length: axes - 1 }, () => ""), `*${row.encoder}*`, "", ...values];
  }
  const counts = row.cells.flatMap((cell) => cell?.summary.count ?? []);
  const [low, high] = [Math.min(...counts), Math.max(...counts)];
  const { names, size } = row.encoder;
  const encoder = `${names.map((name) => letters.get(name) ?? name).join(" / ")}; ${size}`;
  return [...row.titles, encoder, low === high ? String(low) : `${low}–${high}`, ...row.cells.map(cellText)];
}

function cellText(cell: Cell | undefined): string {
  if (cell === undefined) return "–";
  const { summary, measure, p = 1 } = cell;
  const digits = digitsOf(measure);
  const spread = summary.deviation === undefined ? "" : ` ± ${summary.deviation.toFixed(digits)}`;
  return `${summary.mean.toFixed(digits)}${spread}${p < 0.01 ? "\\*\\*" : p < 0.05 ? "\\*" : ""}`;
}

function digitsOf(measure: Measure): number {
  if (measure === "missampling") return 3;
  return measure === "seconds" || measure === "memory" ? 0 : 2;
}
