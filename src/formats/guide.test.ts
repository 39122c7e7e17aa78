import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readContent } from "./documents.suite.ts";
import { formats } from "./index.ts";
import { lacuna } from "./lacuna.ts";

const guide = readFileSync(new URL("../../docs/data.md", import.meta.url), "utf8");

it("lists in the guide what each format cannot express", () => {
  const unable = new Map<string, string[]>();
  for (const { name, limits } of formats) {
    for (const { what } of limits) unable.set(what, [...(unable.get(what) ?? []), `\`${name}\``]);
  }
  const expected = [...unable].map(([what, names]) => `| ${what} | ${names.join(", ")} |`);
  const section = guide.slice(guide.indexOf("### What formats cannot express"), guide.indexOf("## Lacuna's own lines"));
  const rows = section.split("\n").filter((line) => line.startsWith("| "));
  expect(rows.slice(2).sort()).toEqual(expected.sort());
});

it("says in the guide what silence means in each format", () => {
  for (const { name } of formats) expect(guide).toMatch(new RegExp(`^\\| \`${name}\` +\\|`, "m"));
});

it("shows a line of Lacuna's own format that can be read", async () => {
  const line = /```json\n(.*)\n```/.exec(guide)![1]!;
  const [document] = await readContent(lacuna, line);
  expect(document).toMatchObject({
    id: "7",
    text: "Anna left.",
    sentences: [{ entities: [{ type: "PER", score: 0.9 }] }],
  });
});
