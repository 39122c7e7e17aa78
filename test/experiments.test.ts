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

  it("have the figures that the README shows, all of one seed and one number of epochs", () => {
    const [head, ...rows] = rowsOf(sectionOf("../README.md", "### Results"));
    const runs = storedRuns("masked-conll03").filter(({ place }) => place.encoder === "BiLSTM + GloVe");
    const seen: { readonly epochs: number; readonly shown: string }[] = [];
    for (const [hidden, ...cells] of rows) {
      cells.forEach((shown, i) => {
        const place = { method: head![i + 1]!.replaceAll("`", ""), rate: String(Number.parseInt(hidden!, 10) / 100) };
        const run = runs.find(
          (each) => place.method === each.place.method && place.rate === each.place.rate && each.place.seed === "1",
        );
        expect({ ...place, f1: shown }).toEqual({ ...place, f1: (100 * run!.test.f1).toFixed(2) });
        seen.push({ epochs: run!.settings.epochs, shown });
      });
    }
    expect(seen).toHaveLength(30);
    expect(new Set(seen.map(({ epochs }) => epochs))).toEqual(new Set([6]));
  });

  it("have the figures with frozen encoders that the README shows", () => {
    const [head, ...rows] = rowsOf(sectionOf("../README.md", "### Results with frozen encoders"));
    const studies = rows.map((cells) => /`([\w-]+)`/.exec(cells[head!.indexOf("study")]!)![1]!);
    expect(new Set(studies)).toEqual(new Set(["masked-frozen", "benchmark"]));
    rows.forEach((cells, i) => {
      const figures = cells.flatMap((cell) => [...cell.matchAll(/\d\d\.\d\d/g)].map(([figure]) => figure));
      expect(figures.length).toBeGreaterThan(1);
      for (const figure of figures) expect(resultsOf(studies[i]!)).toContain(figure);
    });
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

interface StoredRun {
  readonly place: Readonly<Record<string, string>>;
  readonly settings: { readonly epochs: number };
  readonly test: { readonly f1: number };
}

function storedRuns(study: string): StoredRun[] {
  const lines = readFileSync(join(root, study, "results.jsonl"), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as StoredRun);
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
