import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { resultsPage } from "../src/report/write-pages.ts";
import { plannedRuns } from "../src/studies/grid.ts";
import { assertLayout, openStudy } from "../src/studies/open-study.ts";
import { parseStudy } from "../src/studies/study.ts";

const root = fileURLToPath(new URL("../experiments", import.meta.url));
const studies = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith("study.yaml"));

describe("the studies of this project", () => {
  it.each(studies)("%s asks for runs that can be made", async (file) => {
    expect((await openStudy(join(root, dirname(file)))).runs.length).toBeGreaterThan(1);
  });

  it("can be written as the guide says", () => {
    const guide = readFileSync(new URL("../docs/experiments.md", import.meta.url), "utf8");
    const text = guide.split("```yaml\n")[1]!.split("```")[0]!;
    const study = parseStudy(parseYaml(text), "guide");
    assertLayout(study, "guide");
    // 2 rates × 3 seeds; 2 lambdas × 2 rates; 3 seeds.
    expect(plannedRuns(study, "guide")).toHaveLength(6 + 4 + 3);
  });

  it("have the results that RESULTS.md shows (lacuna experiment --results --out experiments)", async () => {
    const { markdown, pages } = await resultsPage(root);
    expect(readFileSync(join(root, "RESULTS.md"), "utf8")).toBe(markdown);
    for (const [name, { figures }] of pages) {
      for (const [figure, svg] of figures) expect(readFileSync(join(root, name, `${figure}.svg`), "utf8")).toBe(svg);
    }
  });

  it("have the table that the README shows, as it stands in RESULTS.md, and its two figures", () => {
    const readme = sectionOf("../README.md", "### Results");
    const [shown, first] = [readme, sectionOf("RESULTS.md", "## At a glance")].map(rowsOf);
    expect(first!.length).toBeGreaterThan(10);
    expect(shown).toEqual(first);
    const figures = [...readme.matchAll(/\]\(experiments\/([\w/-]+\.svg)\)/g)].map(([, file]) => file!);
    expect(figures).toHaveLength(2);
    for (const file of figures) expect(existsSync(join(root, file))).toBe(true);
  });

  it("have a question and an answer each, with figures that their tables have", () => {
    const [, ...rows] = rowsOf(readFileSync(join(root, "README.md"), "utf8"));
    const answers = new Map(rows.map(([study, , answer]) => [/^\[(.*?)\]/.exec(study!)![1]!, answer!]));
    const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect([...answers.keys()].sort()).toEqual(folders.map(({ name }) => name).sort());
    for (const [study, answer] of answers) {
      const section = `${study}: ${resultsOf(study)}`;
      for (const [figure] of answer.matchAll(/\d+\.\d\d\b/g)) expect(section).toContain(figure);
    }
  });
});

/** What RESULTS.md says of a study. */
function resultsOf(study: string): string {
  const sections = readFileSync(join(root, "RESULTS.md"), "utf8").split("\n## ");
  return sections.find((part) => part.split("\n")[0]!.endsWith(`(\`${study}\`)`)) ?? "";
}

function sectionOf(page: string, heading: string): string {
  const [, section] = readFileSync(join(root, page), "utf8").split(`\n${heading}\n`);
  return section!.split("\n#")[0]!;
}

/** The cells of the rows of a Markdown table, its head among them. */
function rowsOf(text: string): string[][] {
  const rows = text.split("\n").filter((line) => line.startsWith("|"));
  const cells = rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return cells.filter((row) => !row[0]!.startsWith("--"));
}
