import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { writeAtomically, writeTextAtomically } from "../../util/atomic.ts";
import { InputError } from "../../util/errors.ts";
import { findRasteriser } from "../png.ts";
import { openStudy } from "./open-study.ts";
import { type StudyPage, studyPage } from "./page.ts";
import { recordedPage } from "./recorded.ts";
import { readResults } from "./results.ts";
import { resultsFile } from "./run-study.ts";

export interface WrittenPages {
  readonly files: readonly string[];
  /** PNG files were made beside the figures. */
  readonly png: boolean;
}

/** Writes `tables.md` and the figures of a study beside its results. */
export async function writeStudyPage(folder: string, out: string): Promise<WrittenPages> {
  const page = await pageOf(folder, out, { folder: "", level: 1 });
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
  for (const name of (await readdir(root)).sort()) {
    const folder = join(root, name);
    const place = { folder: `${name}/`, level: 2 };
    const page = existsSync(join(folder, "study.yaml"))
      ? await pageOf(folder, folder, place)
      : await recordedPage(folder, place);
    if (page) pages.set(name, page);
  }
  if (pages.size === 0) throw new InputError("holds no folder with a study.yaml", { file: root });
  return { markdown: [introduction, ...[...pages.values()].map(({ markdown }) => markdown)].join("\n"), pages };
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
(SCL-RAI). \`LOG.md\` tells what was tried and what failed.
`;

async function pageOf(
  folder: string,
  out: string,
  place: { readonly folder: string; readonly level: number },
): Promise<StudyPage> {
  const opened = await openStudy(folder);
  return studyPage(opened, await readResults(resultsFile(out)), { name: basename(resolve(folder)), ...place });
}

async function writeFigures({ figures }: StudyPage, out: string): Promise<WrittenPages> {
  const rasterise = figures.size > 0 ? findRasteriser() : undefined;
  const files: string[] = [];
  for (const [name, svg] of figures) {
    const file = join(out, `${name}.svg`);
    await writeTextAtomically(file, svg);
    files.push(file);
    if (rasterise)
      await writeAtomically(join(out, `${name}.png`), async (handle) => void (await handle.writeFile(rasterise(svg))));
  }
  return { files, png: rasterise !== undefined };
}
