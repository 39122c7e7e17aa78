import { beforeAll, describe, expect, it } from "vitest";
import { columns, run, sharedFolder } from "./lacuna.ts";
import { trainTiny } from "./tiny.ts";

// The model calls Rome a place and Ada a person, whatever the gold says.
const gold = columns(
  "Ada/B-PER lives/O in/O Rome/B-PER ./O | Nothing/O happened/O today/O ./O | Eve/B-PER met/O Tom/B-PER today/O ./O",
);

const folder = sharedFolder({ "gold.conll": gold });
beforeAll(() => trainTiny(folder, "model"));

describe("evaluate --model --data", () => {
  it("says the same as tagging first and scoring the file", async () => {
    await run(folder, ["tag", "--model", "model", "--in", "gold.conll", "--out", "pred.conll", "--quiet"]);
    for (const flags of [["--json", "--errors", "--interval"], ["--errors"], ["--silence", "unknown"]]) {
      const ofFile = await run(folder, ["evaluate", "--gold", "gold.conll", "--pred", "pred.conll", ...flags]);
      const ofModel = await run(folder, ["evaluate", "--model", "model", "--data", "gold.conll", ...flags]);
      expect(ofModel).toEqual(ofFile);
      expect(ofModel.code).toBe(0);
    }
  });

  it("prints the keys that scripts rely on", async () => {
    const { stdout } = await run(folder, ["evaluate", "--model", "model", "--data", "-", "--json"], gold);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ precision: 3 / 4, recall: 3 / 4, f1: 3 / 4, support: 4 });
    expect(report.byType).toEqual({
      LOC: { precision: 0, recall: 0, f1: 0, support: 0 },
      PER: { precision: 1, recall: 3 / 4, f1: 6 / 7, support: 4 },
    });
  });

  it("compares the model with the predictions of a file, and checks a threshold", async () => {
    const args = ["evaluate", "--model", "model", "--data", "gold.conll", "--versus", "gold.conll", "--min-f1", "0.8"];
    const { code, stdout, stderr } = await run(folder, [...args, "--json"]);
    expect(JSON.parse(stdout).versus).toMatchObject({
      first: { f1: 1 },
      second: { f1: 0.75 },
      difference: { f1: -0.25 },
    });
    expect(stderr).toBe("lacuna: F1 is 75.00 %, below --min-f1 80.00 %\n");
    expect(code).toBe(1);
  });

  it.each([
    ["neither form", [], "none of them"],
    ["both", ["--gold", "g", "--pred", "p", "--model", "m", "--data", "d"], "--gold, --pred, --model, --data"],
    ["a half", ["--gold", "g"], "--gold"],
    ["another half", ["--model", "m"], "--model"],
    ["two halves", ["--gold", "g", "--model", "m"], "--gold, --model"],
  ])("refuses %s", async (_, flags, got) => {
    expect(await run(folder, ["evaluate", ...flags])).toEqual({
      code: 2,
      stdout: "",
      stderr: `lacuna: evaluate: expected --gold and --pred, or --model and --data, got ${got}\n`,
    });
  });
});
