import { InputError } from "../../util/errors.ts";
import { type MeasuredRun, measuredRuns } from "./measured.ts";
import type { OpenStudy } from "./open-study.ts";
import type { StoredResults } from "./results.ts";
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
export function studyPage(opened: OpenStudy, results: StoredResults, { name, folder, level }: PageOptions): StudyPage {
  const { study, runs } = opened;
  const measured = measuredRuns(runs, results);
  const { tables, figures } = shown(opened, measured);
  const pictures = study.figures
    .filter((plan) => figures.has(plan.name))
    .map((plan) => `![${plan.title}](${folder}${plan.name}.svg)\n`);
  const heading = `${"#".repeat(level)} ${study.title} (\`${name}\`)\n`;
  const done = `${measured.length} of ${runs.length} runs have results. Command: \`lacuna experiment ${name} --out experiments/${name}\`.\n`;
  const outdated =
    results.outdated === 0 ? [] : [`${results.outdated} older results have settings that exist no more.\n`];
  return {
    markdown: [heading, `${study.purpose.trim()}\n`, done, ...outdated, ...tables, ...pictures].join("\n"),
    figures,
  };
}

function shown(
  { study, file }: OpenStudy,
  measured: readonly MeasuredRun[],
): { readonly tables: string[]; readonly figures: Map<string, string> } {
  try {
    const tables = study.tables.map((plan) => buildTable(plan, study, measured));
    const figures = study.figures.map((plan) => [plan.name, studyFigure(plan, study, measured)] as const);
    return {
      tables: tables.filter(({ rows }) => rows.some(({ kind }) => kind === "ours")).map(tableMarkdown),
      figures: new Map(figures.flatMap(([name, svg]) => (svg === undefined ? [] : [[name, svg] as const]))),
    };
  } catch (error) {
    throw error instanceof InputError ? new InputError(error.message, { file }) : error;
  }
}
