import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { inDemoFolder, writeDemoMark } from "./demo-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lacuna-test-"));
});
afterEach(() => rm(folder, { recursive: true }));

const at = (...names: string[]) => join(folder, ...names);

async function fill(target: string, report: string): Promise<void> {
  await writeFile(join(target, "report.md"), report);
  await writeDemoMark(target, { f1: 0.5 });
}

it("appears when the work is done, and replaces what an earlier demo left", async () => {
  await inDemoFolder(at("demo"), async (target) => {
    await fill(target, "one");
    await mkdir(join(target, "plain"));
    for (const ending of ["svg", "png"]) await writeFile(join(target, `figure.${ending}`), "");
    expect(await readdir(folder)).not.toContain("demo");
  });
  expect(await readdir(folder)).toEqual(["demo"]);
  expect((await readdir(at("demo"))).sort()).toEqual([
    ...["demo.json", "figure.png", "figure.svg", "plain", "report.md"],
  ]);
  expect(JSON.parse(await readFile(at("demo", "demo.json"), "utf8"))).toEqual({ made: "lacuna demo", f1: 0.5 });
  await inDemoFolder(at("demo"), (target) => fill(target, "two"));
  expect(await readFile(at("demo", "report.md"), "utf8")).toBe("two");
  expect((await readdir(at("demo"))).sort()).toEqual(["demo.json", "report.md"]);
});

it("takes an empty folder, and keeps the earlier one when the work fails", async () => {
  await mkdir(at("demo"));
  await inDemoFolder(at("demo"), (target) => fill(target, "one"));
  await expect(
    inDemoFolder(at("demo"), async (target) => {
      await fill(target, "two");
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  expect(await readdir(folder)).toEqual(["demo"]);
  expect(await readFile(at("demo", "report.md"), "utf8")).toBe("one");
});

it("refuses files of somebody else before the work begins", async () => {
  const work = () => Promise.reject(new Error("the work began"));
  await mkdir(at("mine"));
  await writeFile(at("mine", "report.md"), "mine");
  await expect(inDemoFolder(at("mine"), work)).rejects.toThrow(
    `${at("mine")}: the folder holds files that are not the demo's, such as report.md; choose another with --out`,
  );
  await inDemoFolder(at("demo"), (target) => fill(target, "one"));
  await writeFile(at("demo", "notes.txt"), "mine");
  await expect(inDemoFolder(at("demo"), work)).rejects.toThrow("such as notes.txt;");
  await expect(inDemoFolder(at("mine", "report.md"), work)).rejects.toThrow("expected a folder to write, got a file");
  await expect(inDemoFolder(at("no", "demo"), work)).rejects.toThrow(`the folder ${at("no")} does not exist`);
  expect(await readFile(at("mine", "report.md"), "utf8")).toBe("mine");
});
