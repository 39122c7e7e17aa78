import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as library from "lacuna-ner";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const run = promisify(execFile);
let page: string;
let folder: string;

beforeAll(async () => {
  page = await readFile(join(root, "docs/api.md"), "utf8");
  // Inside the package, so that its name resolves as it does for a user.
  await mkdir(join(root, "build"), { recursive: true });
  folder = await mkdtemp(join(root, "build", "api-"));
  await cp(join(root, "samples"), join(folder, "samples"), { recursive: true });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function programs(): string[] {
  return [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!);
}

/** What each program of the page must print, in their order. */
const outputs: readonly RegExp[] = [
  /^LOC Aldersley\nPER A. Teixeira\n$/,
  /^\{"kind":"open","excluded":\["PER"\]\}\nnegative unknown\nnegative\n$/,
  /^epoch 1: F1 \d\.\d\d\nepoch 2: .*\nepoch 3: .*\nprecision \d\.\d\d, recall \d\.\d\d\n\d+ spans, 5 labels each: O LOC ORG PER PROD\n$/,
  /^\d+ spans look like entities to a model that has not seen their sentence\n$/,
  /^((missing|wrong|type|boundary) .+ [\d.]+\n){0,3}(\d+ (LOC|ORG|PER|PROD)(, |\n)){2,}$/,
  /^[1-9]\d* negatives in an epoch\n$/,
];

describe("docs/api.md", () => {
  it.each(outputs.map((output, i) => [i + 1, output] as const))(
    "program %i runs and prints what it says",
    async (number, output) => {
      const file = join(folder, `program-${number}.mjs`);
      await writeFile(file, programs()[number - 1]!);
      const { stdout } = await run("node", [file], { cwd: folder });
      expect(stdout).toMatch(output);
    },
  );

  it("has no other programs", () => {
    expect(programs().length).toBe(outputs.length);
  });

  it("describes every name of the package, types included, and no other", async () => {
    const list = ts.createSourceFile(
      "index.ts",
      await readFile(join(root, "src/index.ts"), "utf8"),
      ts.ScriptTarget.ESNext,
    );
    const exported = list.statements.flatMap((statement) =>
      ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)
        ? statement.exportClause.elements.map(({ name }) => name.text)
        : [],
    );
    const tables = page.slice(page.indexOf("## Every name"));
    const described = new Set([...tables.matchAll(/`(\w+)/g)].map(([, name]) => name!));
    expect(exported.filter((name) => !described.has(name))).toEqual([]);
    expect(Object.keys(library).filter((name) => !exported.includes(name))).toEqual([]);
    expect(exported.length).toBeLessThanOrEqual(50);
  });
});
