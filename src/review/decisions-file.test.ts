import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openDecisions } from "./decisions-file.ts";
import { parseDecisions } from "./decisions-format.ts";
import type { Header } from "./model.ts";
import { decision } from "./review.suite.ts";

const header: Header = { review: 1, data: "d", audit: "a", suspicions: 9 };
const entry = (sequence: number, type = "Ort 北") => decision(sequence, { verdict: "accept", items: [sequence], type });

/** Whether a cut here parts the bytes of a character. */
function isInCharacter(bytes: Buffer, at: number): boolean {
  return ((bytes[at] ?? 0) & 0xc0) === 0x80;
}

describe("the decisions file", () => {
  let path: string;
  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), "lacuna-decisions-"));
    path = join(folder, "out.decisions.jsonl");
    onTestFinished(() => rmSync(folder, { recursive: true }));
  });

  const opened = async () => {
    const file = await openDecisions(path, header);
    await file.close();
    return file.entries;
  };

  async function filled(count: number): Promise<void> {
    const file = await openDecisions(path, header);
    for (let i = 1; i <= count; i++) await file.append(entry(i));
    await file.close();
  }

  it("has a decision on a line as soon as it is appended, and gives it back", async () => {
    const file = await openDecisions(path, header);
    await file.append(entry(1));
    expect(readFileSync(path, "utf8").split("\n")).toEqual([JSON.stringify(header), JSON.stringify(entry(1)), ""]);
    await file.close();
    expect(await opened()).toEqual([entry(1)]);
  });

  it("loses no whole line wherever the machine stopped in the last one", async () => {
    await filled(3);
    const bytes = readFileSync(path);
    const third = bytes.lastIndexOf("\n", bytes.length - 2) + 1;
    const first = bytes.indexOf("\n") + 1;
    for (let length = 0; length <= bytes.length; length++) {
      const isNear = [first, third, bytes.length].some((end) => Math.abs(length - end) <= 1);
      if (!isNear && !isInCharacter(bytes, length)) continue;
      writeFileSync(path, bytes.subarray(0, length));
      const whole = bytes.subarray(0, length).toString("latin1").split("\n").length - 1;
      expect(await opened()).toEqual([1, 2, 3].slice(0, Math.max(0, whole - 1)).map((i) => entry(i)));
      const file = await openDecisions(path, header);
      await file.append(entry(file.entries.length + 1));
      await file.close();
      expect((await opened()).length).toBe(Math.max(1, whole));
    }
  });

  it("refuses a line in the middle that was spoilt, naming it", async () => {
    await filled(2);
    const lines = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, [lines[0], lines[1]!.slice(0, -4), lines[2], ""].join("\n"));
    await expect(opened()).rejects.toThrow(`${path}:2: not a line of a decisions file`);
    writeFileSync(path, [lines[0], JSON.stringify({ ...entry(1), verdict: "maybe" }), ""].join("\n"));
    await expect(opened()).rejects.toThrow(`${path}:2: not a line of a decisions file`);
  });

  it("refuses to go on with other data or another audit, and leaves the file as it is", async () => {
    await filled(1);
    const before = readFileSync(path, "utf8");
    await expect(openDecisions(path, { ...header, data: "other" })).rejects.toThrow(
      `${path}: these decisions were made on other files: --data changed since; give the old ones, or start anew with another --out`,
    );
    await expect(openDecisions(path, { ...header, audit: "x", data: "y" })).rejects.toThrow(
      "--data and --audit changed",
    );
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  it("is no file of something else", async () => {
    writeFileSync(path, "# notes\n");
    await expect(opened()).rejects.toThrow(`${path}:1: not a line of a decisions file`);
    appendFileSync(path, "more");
    expect(() => parseDecisions("", path)).toThrow("it has no first line");
  });
});
