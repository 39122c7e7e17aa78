import { describe, expect, it } from "vitest";
import { compareSystems } from "../evaluation/index.ts";
import { unpackCounts } from "../studies/counts.ts";
import { makeStudy, measureAll } from "../studies/study.suite.ts";
import { type Table, tableSchema } from "../studies/table-schema.ts";
import { buildTable } from "./table.ts";
import { tableMarkdown } from "./table-markdown.ts";

const study = makeStudy();
/** Entities found in each of 20 sentences of ten: ce finds few, uniform many, fewer when more is hidden, seed 2 one more. */
const measured = measureAll(study, ({ method, rate, seed }) =>
  Array.from(
    { length: 20 },
    (_, i) => (method === "ce" ? 2 : 6) + (rate === "0.5" ? 1 : 0) + (seed === "2" && i === 0 ? 1 : 0),
  ),
);

function table(parts: Partial<Parameters<typeof tableSchema.parse>[0] & object> = {}): Table {
  return tableSchema.parse({ title: "Test F1", rows: ["method"], columns: ["rate"], ...parts });
}

/** F1 in per cent when so many of 200 entities were found and nothing else. */
const f1 = (found: number): number => (100 * 2 * found) / (found + 200);

describe("a table", () => {
  it("has the mean over seeds and their deviation, with encoder and size in every row", () => {
    const mean = (f1(60) + f1(61)) / 2;
    const deviation = Math.abs(f1(61) - f1(60)) / Math.sqrt(2);
    const text = tableMarkdown(buildTable(table(), study, measured)).split("\n");
    expect(text.slice(0, 4)).toEqual([
      "**Test F1**",
      "",
      "| method | encoder; parameters | seeds | rate 0.5 | rate 0.8 |",
      "| --- | --- | ---: | ---: | ---: |",
    ]);
    expect(text[4]).toContain("| ce | BiLSTM 200; 2.5 M (1.0 M word vectors) | 2 | ");
    expect(text[4]).toContain(`| ${mean.toFixed(2)} ± ${deviation.toFixed(2)} |`);
    expect(text).toHaveLength(7);
  });

  it("writes a long name of an encoder once, below itself", () => {
    const sources = ["words", "chars", "shapes"].map((name) => ({ name, from: "a-part-with-a-long-name" }));
    const encoder = { name: "stack", sources, context: { layers: 1, units: 128 } };
    const long = measured.map(({ place, result }) => ({
      place,
      result: place.method === "ce" ? { ...result, settings: { ...result.settings, encoder } } : result,
    }));
    const lines = tableMarkdown(buildTable(table(), study, long)).split("\n");
    expect(lines[4]).toContain("| ce | A; 2.5 M (1.0 M word vectors) | 2 | ");
    expect(lines[5]).toContain("| uniform | BiLSTM 200; 2.5 M");
    const part = "a-part-with-a-long-name";
    expect(lines[7]).toBe(`Encoders: A words ${part} + chars ${part} + shapes ${part}, BiLSTM 128.`);
  });

  it("leaves a cell open that has no run, and says how many seeds others have", () => {
    const some = measured.filter(({ place }) => (place.method === "ce" ? place.seed === "1" : place.rate === "0.8"));
    const [, , , , ce, uniform] = tableMarkdown(buildTable(table(), study, some)).split("\n");
    expect(ce).toMatch(/\| 1 \| 46\.15 \| 33\.33 \|$/);
    expect(uniform).toMatch(/\| 2 \| – \| \d+\.\d\d ± 0\.\d\d \|$/);
  });

  it("puts published figures behind the row they belong to, and at the end where we have none", () => {
    const paper = [
      { source: "P Table 2", encoder: "BERT", values: { 0.8: 50 } },
      { source: "P Table 1", encoder: "BERT", row: { method: "ce" }, values: { 0.5: 12.3, 0.8: 4 } },
    ];
    const lines = tableMarkdown(buildTable(table({ paper }), study, measured)).split("\n");
    expect(lines[5]).toBe("| *P Table 1* | *BERT* |  | *12.30* | *4.00* |");
    expect(lines[6]).toMatch(/^\| uniform /);
    expect(lines[7]).toBe("| *P Table 2* | *BERT* |  |  | *50.00* |");
  });

  it("marks differences from the baseline in the same column by the paired bootstrap", () => {
    const built = buildTable(table({ baseline: { method: "ce" } }), study, measured);
    const [ce, uniform] = built.rows;
    expect(ce!.cells.map((cell) => (cell as { p?: number }).p)).toEqual([undefined, undefined]);
    const counts = (method: string) =>
      measured
        .filter(({ place }) => place.method === method && place.rate === "0.8")
        .map(({ result }) => unpackCounts(result.counts));
    const { p } = compareSystems(counts("ce"), counts("uniform"), { resamples: 500 });
    expect((uniform!.cells[1] as { p?: number }).p).toBe(p);
    expect(tableMarkdown(built)).toMatch(/\| uniform .*\\\*\\\* \|\n\nAgainst ce, paired bootstrap/);
  });

  it("does not compare what was measured on different test sets", () => {
    const other = measured.map(({ place, result }) =>
      place.method === "ce"
        ? { place, result: { ...result, hashes: { ...result.hashes, test: "other" } } }
        : { place, result },
    );
    const { rows } = buildTable(table({ baseline: { method: "ce" } }), study, other);
    expect(rows[1]!.cells.map((cell) => (cell as { p?: number }).p)).toEqual([undefined, undefined]);
  });

  it("shows several measures side by side, per cent, seconds and megabytes", () => {
    const plan = table({
      columns: [],
      where: { rate: 0.8, seed: 1 },
      measures: ["test.recall", "missampling", "seconds", "memory"],
    });
    const lines = tableMarkdown(buildTable(plan, study, measured)).split("\n");
    expect(lines[2]).toBe(
      "| method | encoder; parameters | seeds | test recall | missampling, % | seconds | memory, MB |",
    );
    expect(lines[4]).toMatch(/\| 1 \| 20\.00 \| 2\.000 \| 60 \| 1 \|$/);
  });

  it("is in the order of the axes, whatever the order of the groups", () => {
    const turned = makeStudy({ groups: [{ method: "uniform", rate: 0.8 }, {}] });
    const built = buildTable(
      table(),
      turned,
      measureAll(turned, () => [1]),
    );
    expect(built.columns.map(({ id }) => id)).toEqual(["0.5", "0.8"]);
    expect(built.rows.map((row) => row.kind === "ours" && row.titles)).toEqual([["ce"], ["uniform"]]);
  });

  it("refuses to mix runs that differ in more than their seed", () => {
    const build = (parts: object) => () => buildTable(table(parts), study, measured);
    expect(build({ columns: [] })).toThrow(
      'table "Test F1": a cell holds runs with rate 0.5 and 0.8; name the axis in rows, columns or where',
    );
  });
});
