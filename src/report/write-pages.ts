import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { type MeasuredStudy, measuredRuns, openStudy, readResults, resultsFile } from "../studies/index.ts";
import { writeTextAtomically } from "../util/atomic.ts";
import { InputError } from "../util/errors.ts";
import { digestSection } from "./digest.ts";
import { type StudyPage, studyPage } from "./page.ts";
import { recordedPage } from "./recorded.ts";
import { writeFigure } from "./write-figure.ts";

export interface WrittenPages {
  readonly files: readonly string[];
  /** PNG files were made beside the figures. */
  readonly png: boolean;
}

/** Writes `tables.md` and the figures of a study beside its results. */
export async function writeStudyPage(folder: string, out: string): Promise<WrittenPages> {
  const page = studyPage(await measuredStudy(folder, out), { name: basename(resolve(folder)), folder: "", level: 1 });
  const file = join(out, "tables.md");
  await writeTextAtomically(file, page.markdown);
  const figures = await writeFigures(page, out);
  return { files: [file, ...figures.files], png: figures.png };
}

/** The page of all studies below a folder, with their results there, and the figures it shows. */
export async function resultsPage(
  root: string,
): Promise<{ readonly markdown: string; readonly pages: ReadonlyMap<string, StudyPage> }> {
  const pages = new Map<string, StudyPage>();
  const studies = new Map<string, MeasuredStudy>();
  for (const name of (await readdir(root)).sort()) {
    const folder = join(root, name);
    const place = { folder: `${name}/`, level: 2 };
    if (existsSync(join(folder, "study.yaml"))) {
      const study = await measuredStudy(folder, folder);
      studies.set(name, study);
      pages.set(name, studyPage(study, { name, ...place }));
    } else {
      const page = await recordedPage(folder, place);
      if (page) pages.set(name, page);
    }
  }
  if (pages.size === 0) throw new InputError("holds no folder with a study.yaml", { file: root });
  const digest = await digestSection(root, studies);
  const sections = [...pages.values()].map(({ markdown }) => markdown);
  return { markdown: [introduction, ...(digest === undefined ? [] : [digest]), ...sections].join("\n"), pages };
}

/** Writes `RESULTS.md` and, in the folder of each study, its figures. */
export async function writeResultsPage(root: string): Promise<WrittenPages> {
  const { markdown, pages } = await resultsPage(root);
  const file = join(root, "RESULTS.md");
  const files: string[] = [file];
  let png = false;
  for (const [name, page] of pages) {
    const figures = await writeFigures(page, join(root, name));
    files.push(...figures.files);
    png ||= figures.png;
  }
  await writeTextAtomically(file, markdown);
  return { files, png };
}

const introduction = `# Results

Made by \`lacuna experiment --results --out experiments\` from the results of each study; do not edit. Scores are in per cent, on
exact boundaries and types, as conlleval counts them. The state of a model was chosen on dev; test was looked at once. Where there
are several seeds, the mean with the standard deviation between them. Rows in italics are the publications' own figures: 000 Li, Liu
and Shi (negative sampling); 001 two-step learning; 002 Xu, Bing and Lu (Top-Neg); 003 Kang, Zhang and Fu (NRCES); 004 Si et al.
(SCL-RAI). \`README.md\` has the question and the answer of each study, \`LOG.md\` what was tried and what failed.
`;

/** A study with those of its runs that have results in a folder. */
async function measuredStudy(folder: string, out: string): Promise<MeasuredStudy> {
  const opened = await openStudy(folder);
  const results = await readResults(resultsFile(out));
  return { opened, measured: measuredRuns(opened.runs, results), outdated: results.outdated };
}

async function writeFigures({ figures }: StudyPage, out: string): Promise<WrittenPages> {
  const files: string[] = [];
  let png = false;
  for (const [name, svg] of figures) {
    const [file, picture] = await writeFigure(join(out, `${name}.svg`), svg);
    files.push(file!);
    png ||= picture !== undefined;
  }
  return { files, png };
}
