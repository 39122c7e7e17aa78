import { describe, expect, it } from "vitest";
import { columns, makeFolder, run } from "./lacuna.ts";

// Gold 4, predicted 4, right 1 (ORG); MISC missed, PER too short, "in" spurious, LOC called ORG.
const gold = columns("EU/B-ORG rejects/O German/B-MISC call/O | Peter/B-PER Blackburn/I-PER in/O New/B-LOC York/I-LOC");
const predicted = columns("EU/B-ORG rejects/O German/O call/O | Peter/B-PER Blackburn/O in/B-LOC New/B-ORG York/I-ORG");

function files() {
  return makeFolder({ "gold.conll": gold, "pred.conll": predicted });
}

const args = ["evaluate", "--gold", "gold.conll", "--pred", "pred.conll"];

describe("evaluate", () => {
  it("prints the keys that scripts rely on, as fractions of 1", async () => {
    const { code, stdout, stderr } = await run(files(), [...args, "--json"]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ precision: 1 / 4, recall: 1 / 4, f1: 1 / 4, support: 4 });
    expect(report.byType).toEqual({
      LOC: { precision: 0, recall: 0, f1: 0, support: 1 },
      MISC: { precision: 0, recall: 0, f1: 0, support: 1 },
      ORG: { precision: 1 / 2, recall: 1, f1: 2 / 3, support: 1 },
      PER: { precision: 0, recall: 0, f1: 0, support: 1 },
    });
    expect(report.gold).toMatchObject({
      complete: true,
      silence: "negative",
      silenceAssumed: true,
      unknownPredictions: 0,
    });
  });

  it("prints a table of percentages, and says that the gold was taken to be complete", async () => {
    const { stdout } = await run(files(), args);
    expect(stdout).toMatch(/^% +precision +recall +F1 +support$/m);
    expect(stdout).toMatch(/^ORG +50\.00 +100\.00 +66\.67 +1$/m);
    expect(stdout).toMatch(/^micro +25\.00 +25\.00 +25\.00 +4$/m);
    expect(stdout).toMatch(/^macro +12\.50 +25\.00 +16\.67$/m);
    expect(stdout).toContain("Gold: read as complete, because its format cannot say what unlabelled text means.");
    expect((await run(files(), [...args, "--silence", "negative"])).stdout).toContain(
      "read as complete (--silence negative)",
    );
  });

  it("does not score gold with gaps as if it were complete without saying so", async () => {
    const { stdout } = await run(files(), [...args, "--silence", "unknown"]);
    expect(stdout).toContain("Gold: incomplete, 0 of 2 sentences complete.");
    expect(stdout.replaceAll("\n", " ")).toContain(
      "Predictions: 1 correct, 0 on known negatives, 2 in conflict with annotations, 0 on undecided spans, 1 on unknown spans.",
    );
    expect(stdout).toContain(
      "Precision: at least 25.00 %, at most 50.00 %, 33.33 % over the 3 predictions that can be decided.",
    );
    const json = await run(files(), [...args, "--silence", "unknown", "--json"]);
    expect(JSON.parse(json.stdout).gold).toMatchObject({
      complete: false,
      silence: "unknown",
      silenceAssumed: false,
      unknownPredictions: 1,
    });
  });

  it("believes a file that declares its own completeness", async () => {
    const folder = files();
    await run(folder, ["convert", "--in", "gold.conll", "--out", "gold.jsonl", "--silence", "negative"]);
    const { stdout } = await run(folder, ["evaluate", "--gold", "gold.jsonl", "--pred", "pred.conll"]);
    expect(stdout).toContain("Gold: complete, as the file declares.");
  });

  it("lists every error with its place and text", async () => {
    const { stdout } = await run(files(), [...args, "--errors"]);
    expect(stdout.split("\n").slice(-6)).toEqual([
      "4 errors",
      'missed  document 1, sentence 1, token 3: MISC "German"',
      'wrong-boundary  document 2, sentence 1, token 1: PER "Peter Blackburn" → PER "Peter"',
      'spurious  document 2, sentence 1, token 3: LOC "in"',
      'wrong-type  document 2, sentence 1, token 4: LOC "New York" → ORG "New York"',
      "",
    ]);
    const { errors } = JSON.parse((await run(files(), [...args, "--errors", "--json"])).stdout);
    expect(errors.map((error: { kind: string }) => error.kind)).toEqual([
      "missed",
      "wrong-boundary",
      "spurious",
      "wrong-type",
    ]);
  });

  it("compares two systems and gives intervals, the same for the same seed", async () => {
    const folder = files();
    const compare = [...args, "--versus", "gold.conll", "--interval", "--json", "--seed", "3"];
    const { stdout } = await run(folder, compare);
    const { interval, versus } = JSON.parse(stdout);
    expect(interval.f1).toBe(0.25);
    expect(interval.low).toBeLessThanOrEqual(0.25);
    expect(interval.high).toBeGreaterThanOrEqual(0.25);
    expect(versus.first).toEqual({ f1: 1, low: 1, high: 1 });
    expect(versus.difference.f1).toBe(-0.75);
    expect(versus.p).toBeLessThan(0.05);
    expect((await run(folder, compare)).stdout).toBe(stdout);
    expect((await run(folder, [...args, "--versus", "gold.conll"])).stdout).toContain(
      "difference -75.00, 95 % interval",
    );
  });

  it("exits with 1 when the threshold is missed, after printing the scores", async () => {
    const { code, stdout, stderr } = await run(files(), [...args, "--min-f1", "0.5", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).f1).toBe(0.25);
    expect(stderr).toBe("lacuna: F1 is 25.00 %, below --min-f1 50.00 %\n");
    expect((await run(files(), [...args, "--min-f1", "0.25"])).code).toBe(0);
  });

  it("reads one side from standard input and another format", async () => {
    const folder = files();
    const { stdout } = await run(folder, ["convert", "--in", "pred.conll", "--out", "-"]);
    const piped = await run(folder, ["evaluate", "--gold", "gold.conll", "--pred", "-", "--json"], stdout);
    expect(JSON.parse(piped.stdout).f1).toBe(0.25);
  });

  it.each([
    [
      "a token that differs",
      predicted.replace("call", "cell"),
      'pred.conll: document 1, sentence 1: token 4 is "cell", but "call" in gold.conll (document 1, sentence 1)',
    ],
    [
      "a token too few",
      predicted.replace("call\tO\n", ""),
      "pred.conll: document 1, sentence 1: the number of tokens is 3, but 4 in gold.conll (document 1, sentence 1)",
    ],
    [
      "a sentence too few",
      predicted.split("\n\n")[0]!,
      "pred.conll: ends before document 2, sentence 1 of gold.conll; both must hold the same sentences",
    ],
    [
      "a sentence too many",
      `${predicted}\nx\tO\n`,
      "gold.conll: ends before document 3, sentence 1 of pred.conll; both must hold the same sentences",
    ],
  ])("refuses %s, naming the place", async (_, content, line) => {
    const folder = makeFolder({ "gold.conll": gold, "pred.conll": content });
    expect(await run(folder, args)).toEqual({ code: 2, stdout: "", stderr: `lacuna: ${line}\n` });
  });
});
