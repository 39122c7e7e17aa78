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

const records = '{"name":"a","share":0.12345,"count":3,"kind":"x"}\n{"name":"b","share":0.5,"kind":"y"}\n';

it("shows chosen fields of chosen records under titles", async () => {
  const folder = folderWith({
    "results.jsonl": records,
    "recorded.yaml":
      "title: T\npurpose: P.\ncommand: node run.mjs\nwhere: { kind: [x, y] }\ncolumns:\n" +
      '  - { title: Name, field: name }\n  - { title: "Share, %", field: share, percent: true, digits: 1 }\n  - { title: N, field: count }\n',
  });
  expect(await recordedPage(folder, 2)).toBe(
    "## T\n\nP.\n\nCommand: `node run.mjs`.\n\n| Name | Share, % | N |\n| --- | --- | --- |\n| a | 12.3 | 3 |\n| b | 50.0 | – |\n",
  );
});

it("leaves out records without a wanted value", async () => {
  const folder = folderWith({
    "results.jsonl": records,
    "recorded.yaml":
      "title: T\npurpose: P\ncommand: c\nwhere: { kind: [y] }\ncolumns: [{ title: Name, field: name }]\n",
  });
  expect(await recordedPage(folder, 1)).toMatch(/\| Name \|\n\| --- \|\n\| b \|\n$/);
});

it("is nothing without a recorded.yaml, and refuses one that is wrong", async () => {
  expect(await recordedPage(folderWith({}), 1)).toBeUndefined();
  const wrong = folderWith({ "recorded.yaml": "title: T\npurpose: P\ncommand: c\ncolumns: []\n" });
  await expect(recordedPage(wrong, 1)).rejects.toThrow(/recorded\.yaml: not a table of records: columns: /);
});
