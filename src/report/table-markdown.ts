import type { Measure } from "../studies/index.ts";
import type { BuiltTable, Cell, Row } from "./table.ts";

/** A table as Markdown, with a line below it that says what its signs mean. */
export function tableMarkdown({ title, rowAxes, columns, rows, baseline }: BuiltTable): string {
  const head = [...rowAxes, "encoder; parameters", "seeds", ...columns.map((column) => column.title)];
  const align = head.map((_, i) => (i <= rowAxes.length ? "---" : "---:"));
  const lines = [head, align, ...rows.map((row) => cellsOf(row, rowAxes.length))].map(
    (cells) => `| ${cells.join(" | ")} |`,
  );
  const legend =
    baseline === undefined
      ? ""
      : `\n\nAgainst ${baseline}, paired bootstrap over seeds and sentences: \\* p < 0.05, \\*\\* p < 0.01.`;
  return `**${title}**\n\n${lines.join("\n")}${legend}\n`;
}

function cellsOf(row: Row, axes: number): string[] {
  if (row.kind === "paper") {
    const values = row.cells.map((value) => (value === undefined ? "" : `*${value.toFixed(2)}*`));
    return [`*${row.source}*`, ...Array.from({ length: axes - 1 }, () => ""), `*${row.encoder}*`, "", ...values];
  }
  const counts = row.cells.flatMap((cell) => cell?.summary.count ?? []);
  const [low, high] = [Math.min(...counts), Math.max(...counts)];
  return [...row.titles, row.encoder, low === high ? String(low) : `${low}–${high}`, ...row.cells.map(cellText)];
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
