import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readStructured } from "./structured-file.ts";

function read(name: string, text: string): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), text);
  return readStructured(join(folder, name), "study");
}

describe("a YAML file", () => {
  it("is read as YAML and JSON are meant", async () => {
    expect(await read("a.yaml", "a: 1\nb: [x, { c: true }]\nd: &e 5\nf: *e\n")).toEqual({
      a: 1,
      b: ["x", { c: true }],
      d: 5,
      f: 5,
    });
    expect(await read("a.json", '{"a": [1]}')).toEqual({ a: [1] });
    expect(await read("a.yaml", "# nothing\n")).toEqual({});
  });

  it.each<[string, string, RegExp]>([
    ["a name that stands twice", "a: 1\nb: 2\na: 3\n", /a\.yaml:3: not a study: the name "a" stands twice/],
    ["a bracket that is not closed", "a: 1\nb: [1\n", /a\.yaml:\d: not a study: /],
    ["a list", "- 1\n", /expected names with values/],
    ["brackets by the hundred thousand", `a: ${"{".repeat(300_000)}`, /it is nested too deeply/],
    ["lists in lists on one line", `${"- ".repeat(100_000)}a`, /it is nested too deeply/],
    [
      "aliases that multiply",
      `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghij".replaceAll(/./g, (n) => `${n}: &${n} [*${String.fromCharCode(n.charCodeAt(0) - 1)},*${String.fromCharCode(n.charCodeAt(0) - 1)},*${String.fromCharCode(n.charCodeAt(0) - 1)}]\n`)}`,
      /alias|Excessive/i,
    ],
  ])("is refused with %s", async (_, text, message) => {
    await expect(read("a.yaml", text)).rejects.toThrow(message);
  });

  it("of very many names is read in time that grows with their number", async () => {
    // Comparing each name with each other takes many minutes for so many.
    const text = Array.from({ length: 200_000 }, (_, i) => `k${i}: 1`).join("\n");
    expect(Object.keys(await read("a.yaml", text)).length).toBe(200_000);
  });
});
