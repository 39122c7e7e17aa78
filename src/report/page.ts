import type { MeasuredStudy } from "../studies/index.ts";
import { InputError } from "../util/errors.ts";
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
export function studyPage(measuredStudy: MeasuredStudy, { name, folder, level }: PageOptions): StudyPage {
  const { opened, measured, outdated } = measuredStudy;
  const { study, runs } = opened;
  const { tables, figures } = shown(measuredStudy);
  const pictures = study.figures
    .filter((plan) => figures.has(plan.name))
    .map((plan) => `![${plan.title}](${folder}${plan.name}.svg)\n`);
  const heading = `${"#".repeat(level)} ${study.title} (\`${name}\`)\n`;
  const done = `${measured.length} of ${runs.length} runs have results. Command: \`lacuna experiment ${name} --out experiments/${name}\`.\n`;
  const older = outdated === 0 ? [] : [`${outdated} older results have settings that exist no more.\n`];
  return {
    markdown: [heading, `${study.purpose.trim()}\n`, done, ...older, ...tables, ...pictures].join("\n"),
    figures,
  };
}

function shown({ opened: { study, file }, measured }: MeasuredStudy): {
  readonly tables: string[];
  readonly figures: Map<string, string>;
} {
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
