import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { assertAllowed } from "./allowed-folders.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "lacuna-allowed-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
for (const folder of ["mine/deep", "theirs"]) mkdirSync(join(root, folder), { recursive: true });
writeFileSync(join(root, "mine/a.txt"), "");
writeFileSync(join(root, "theirs/secret.txt"), "");
symlinkSync(join(root, "theirs"), join(root, "mine/link"));
symlinkSync(join(root, "theirs"), join(root, "mine/deep/out"));
const mine = join(root, "mine");

describe("orders for a worker that was given a folder", () => {
  it.each([
    ["a file in it", { data: join(root, "mine/a.txt") }],
    ["a file that is to be made in it", { out: [join(root, "mine/deep/new/out.jsonl")] }],
    ["a name that is no file", { encoder: { name: "bilstm" }, title: "x".repeat(10_000) }],
    ["numbers and nothing", { epochs: 3, masking: null }],
  ])("may name %s", async (_, orders) => {
    await expect(assertAllowed(orders, mine, [mine])).resolves.toBeUndefined();
  });

  it.each([
    ["a file outside", { data: join(root, "theirs/secret.txt") }],
    ["a way up", { settings: { words: "../theirs/secret.txt" } }],
    ["a way up to what is not there yet", { out: "deep/../../new" }],
    ["a link out of it", { data: join(root, "mine/link/secret.txt") }],
    ["a link by a plain name", { data: "link" }],
    ["a folder whose name begins alike", { data: `${mine}-too/a` }],
    ["a link in a folder that it names", { data: join(root, "mine/deep"), files: ["out"] }],
    ["the whole machine", { data: "/" }],
  ])("may not name %s", async (_, orders) => {
    await expect(assertAllowed(orders, mine, [mine])).rejects.toThrow(
      "lies outside the folders that this worker was given",
    );
  });

  it("may not be given from a folder outside, where names begin", async () => {
    await expect(assertAllowed({}, join(root, "theirs"), [mine])).rejects.toThrow("lies outside");
  });
});
