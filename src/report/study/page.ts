import type { PlannedRun } from "./grid.ts";
import { measuredRuns } from "./measured.ts";
import type { StoredResults } from "./results.ts";
import type { Study } from "./study.ts";
import { studyFigure } from "./study-figure.ts";
import { buildTable } from "./table.ts";
import { tableMarkdown } from "./table-markdown.ts";

/** What a study has to show: Markdown, and the figures that it shows by name. */
export interface StudyPage {
  readonly markdown: string;
  /** SVG by file name without ending. */
  readonly figures: ReadonlyMap<string, string>;
}

export interface PageOptions {
  /** The name of the study's folder. */
  readonly name: string;
  /** Where the figures are, seen from the page. */
  readonly folder: string;
  /** Depth of the heading. */
  readonly level: number;
}

/** Tables and figures of a study, made from its results alone. */
export function studyPage(
  study: Study,
  runs: readonly PlannedRun[],
  results: StoredResults,
  { name, folder, level }: PageOptions,
): StudyPage {
  const measured = measuredRuns(runs, results);
  const figures = new Map<string, string>();
  for (const plan of study.figures) {
    const svg = studyFigure(plan, study, measured);
    if (svg !== undefined) figures.set(plan.name, svg);
  }
  const tables =
    measured.length === 0 ? [] : study.tables.map((plan) => tableMarkdown(buildTable(plan, study, measured)));
  const pictures = study.figures
    .filter((plan) => figures.has(plan.name))
    .map((plan) => `![${plan.title}](${folder}${plan.name}.svg)\n`);
  const heading = `${"#".repeat(level)} ${study.title} (\`${name}\`)\n`;
  const done = `${measured.length} of ${runs.length} runs have results. Command: \`lacuna experiment ${name} --out experiments/${name}\`.\n`;
  return { markdown: [heading, `${study.purpose.trim()}\n`, done, ...tables, ...pictures].join("\n"), figures };
}
