import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { recordedPage } from "./recorded.ts";

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-recorded-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const place = { level: 2, folder: "here/" };
const records = '{"name":"a","share":0.12345,"count":3,"kind":"x"}\n{"name":"b","share":0.5,"kind":"y"}\n';

it("shows chosen fields of chosen records under titles", async () => {
  const folder = folderWith({
    "results.jsonl": records,
    "recorded.yaml":
      "title: T\npurpose: P.\ncommand: node run.mjs\ntables:\n  - where: { kind: [x, y] }\n    columns:\n" +
      '    - { title: Name, field: name }\n    - { title: "Share, %", field: share, percent: true, digits: 1 }\n    - { title: N, field: count }\n',
  });
  expect((await recordedPage(folder, place))?.markdown).toBe(
    "## T\n\nP.\n\nCommand: `node run.mjs`.\n\n| Name | Share, % | N |\n| --- | --- | --- |\n| a | 12.3 | 3 |\n| b | 50.0 | – |\n",
  );
});

it("leaves out records without a wanted value", async () => {
  const folder = folderWith({
    "results.jsonl": records,
    "recorded.yaml":
      "title: T\npurpose: P\ncommand: c\ntables: [{ where: { kind: [y] }, columns: [{ title: Name, field: name }] }]\n",
  });
  expect((await recordedPage(folder, place))?.markdown).toMatch(/\| Name \|\n\| --- \|\n\| b \|\n$/);
});

it("says so where the script has not run yet", async () => {
  const folder = folderWith({ "recorded.yaml": "title: T\npurpose: P\ncommand: c\n" });
  expect((await recordedPage(folder, place))?.markdown).toBe("## T\n\nP\n\nCommand: `c`.\n\nNo results yet.\n");
});

it("is nothing without a recorded.yaml, and refuses one that is wrong", async () => {
  expect(await recordedPage(folderWith({}), place)).toBeUndefined();
  const wrong = folderWith({ "recorded.yaml": "title: T\npurpose: P\ncommand: c\ntables: [{ columns: [] }]\n" });
  await expect(recordedPage(wrong, place)).rejects.toThrow(
    /recorded\.yaml: not a table of records: tables\.0\.columns: /,
  );
});

it("draws a line for each value of a field, with the points in the units of the axes", async () => {
  const folder = folderWith({
    "results.jsonl": [1, 2, 3]
      .map((at) => `{"run":"r","at":${at},"share":${at / 10}}\n{"run":"s","at":${at}}\n`)
      .join(""),
    "recorded.yaml":
      "title: T\npurpose: P\ncommand: c\nfigures:\n  - { name: shares, title: Shares, series: [run], " +
      "x: { label: place, field: at }, y: { label: share, field: share, percent: true } }\n",
  });
  const page = await recordedPage(folder, place);
  expect(page?.markdown).toContain("![Shares](here/shares.svg)\n");
  const svg = page?.figures.get("shares") ?? "";
  // Three points of one line and one in the legend; the other has no values. The axis goes from 10 to 30 per cent.
  expect(svg.match(/<circle/g)).toHaveLength(4);
  expect(svg).toMatch(/>10<[\s\S]*>30</);
});
