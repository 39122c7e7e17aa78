import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeFolder, outcomeOf, run, start } from "./lacuna.ts";
import { corpus, trainTiny } from "./tiny.ts";

describe("export", () => {
  it("writes a model, says how large it is and what bytes cost, and refuses in one line", async () => {
    const folder = makeFolder({ "dev.conll": corpus });
    await trainTiny(folder, "model");

    const whole = await run(folder, ["export", "--model", "model", "--out", "exported"]);
    expect(whole).toMatchObject({ code: 0, stdout: "" });
    expect(whole.stderr).toMatch(
      /^exported: 3 files, weights of 0\.\d MB \(float32\); probabilities differ by less than 0\.000001 at most on a few sentences\n$/,
    );
    expect(readdirSync(`${folder.path}/exported`).sort()).toEqual(["lacuna.json", "model.onnx", "vocabulary.json"]);

    const again = await run(folder, ["export", "--model", "model", "--out", "exported"]);
    expect(again).toMatchObject({
      code: 2,
      stderr: "lacuna: exported: the directory to write exists and is not empty\n",
    });

    const small = await run(folder, [
      "export",
      "--model",
      "model",
      "--out",
      "small",
      "--int8",
      "--quiet",
      "--json",
      "--data",
      "dev.conll",
    ]);
    expect(small.code).toBe(0);
    expect(JSON.parse(small.stdout)).toMatchObject({ precision: "int8", to: "onnx", f1: { before: 1, sentences: 54 } });

    const unmeasured = await run(folder, ["export", "--model", "model", "--out", "other", "--int8"]);
    expect(unmeasured.stderr).toContain(
      "the loss in F1 was not measured; give annotated text with --data to measure it",
    );

    const refused = await run(folder, ["export", "--model", "model", "--out", "js", "--to", "transformers.js"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr.trimEnd().split("\n").length).toBe(1);
    expect(refused.stderr).toContain("export it with --to onnx, or --to web for a browser");

    const broken = await run(folder, ["export", "--model", "model", "--out", "bad", "--data", "nothing.conll"]);
    expect(broken.code).toBe(2);
    expect(folder.names()).not.toContain("bad");
  });

  it("leaves nothing behind when it is interrupted", async () => {
    const folder = makeFolder();
    await trainTiny(folder, "model");
    const before = folder.names().sort();
    const child = start(folder, "export", "--model", "model", "--out", "exported", "--data", "-");
    // It has written the model, and waits for data.
    const isWriting = (): boolean => folder.names().some((name) => name.startsWith(".exported"));
    while (!isWriting()) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill("SIGINT");
    const { code } = await outcomeOf(child);
    // Ended by the signal itself where a thread waits for standard input.
    expect([130, null]).toContain(code);
    expect(folder.names().sort()).toEqual(before);
  });
});
