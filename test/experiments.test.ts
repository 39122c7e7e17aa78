import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { plannedRuns } from "../src/report/study/grid.ts";
import { assertLayout, openStudy } from "../src/report/study/open-study.ts";
import { parseStudy } from "../src/report/study/study.ts";
import { resultsPage } from "../src/report/study/write-pages.ts";

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
});
