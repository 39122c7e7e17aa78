import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { filesLike } from "./glob.ts";

const folder = mkdtempSync(join(tmpdir(), "lacuna-glob-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "a/b"), { recursive: true });
for (const name of ["z.txt", "a/one.txt", "a/two.txt.gz", "a/b/three.txt", ".hidden.txt", "star*.txt", "a+b.txt"])
  writeFileSync(join(folder, name), "");

it.each([
  ["z.txt", ["z.txt"]],
  ["absent.txt", ["absent.txt"]],
  ["*.txt", ["a+b.txt", "star*.txt", "z.txt"]],
  ["a+?.txt", ["a+b.txt"]],
  ["star*.txt", ["star*.txt"]],
  [".h*.txt", [".hidden.txt"]],
  ["a/*.txt*", ["a/one.txt", "a/two.txt.gz"]],
  ["**/*.txt", ["a+b.txt", "a/b/three.txt", "a/one.txt", "star*.txt", "z.txt"]],
  ["?/b/*", ["a/b/three.txt"]],
  ["none/*", []],
])("%s names the files that it says, by their names in order", async (pattern, expected) => {
  const found = await filesLike(join(folder, pattern));
  expect(found).toEqual(expected.map((name) => join(folder, name)));
});
