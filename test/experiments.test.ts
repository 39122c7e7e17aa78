import { readdirSync, readFileSync } from "node:fs";
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

  it("have the figures that the README shows, on the same data", () => {
    const results = readFileSync(join(root, "RESULTS.md"), "utf8").split("## At a glance")[1]!.split("\n## ")[0]!;
    const measured = rowsOf(results).map(([data, , , , , f1]) => `${data}: ${f1!.split(" ")[0]}`);
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
      .split("Some results")[1]!
      .split("\n## ")[0]!;
    const shown = rowsOf(readme).flatMap(([data, , ...cells]) =>
      [...cells.join(" ").matchAll(/\d+\.\d\d/g)].map(([f1]) => `${data}: ${f1}`),
    );
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.filter((figure) => !measured.includes(figure))).toEqual([]);
  });
});

/** The cells of the rows of a Markdown table, without its head. */
function rowsOf(text: string): string[][] {
  const rows = text.split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
