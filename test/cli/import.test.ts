import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makeFolder, run } from "./lacuna.ts";

const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/${name}.pt`, import.meta.url));

describe("import", () => {
  it("joins the directions of a character language model and says what it wrote", async () => {
    const folder = makeFolder();
    const args = ["import", fixture("flair-forward"), "--with", fixture("flair-backward"), "--out", "characters"];
    const { code, stdout, stderr } = await run(folder, args);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: "",
      stderr:
        "characters: character language models in both directions, 2 layers of 3, 5 characters, 0.0 million weights\n",
    });
    expect(JSON.parse(folder.read("characters/config.json"))).toMatchObject({ hidden_size: 3, layers: 2 });
    const again = await run(folder, args);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain("the directory to write exists and is not empty");
  });

  it("refuses a file that asks for code, in one line, and writes nothing", async () => {
    const folder = makeFolder();
    const { code, stdout, stderr } = await run(folder, ["import", fixture("whole-module"), "--out", "out"]);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr.trimEnd().split("\n").length).toBe(1);
    expect(stderr).toContain('holds "__main__.M", which is neither a tensor nor a plain container');
    expect(folder.names()).toEqual([]);
  });

  it("refuses a directory without a model, and a file that is not there", async () => {
    const folder = makeFolder({ "a.txt": "" });
    const none = await run(folder, ["import", ".", "--out", "out"]);
    expect(none).toMatchObject({ code: 2 });
    expect(none.stderr).toContain(
      ".: must hold an .onnx file, or config.json with model.safetensors or pytorch_model.bin, found none",
    );
    const missing = await run(folder, ["import", "./model.pt", "--out", "out"]);
    expect(missing).toMatchObject({ code: 2 });
    expect(missing.stderr).toContain('no such directory: "./model.pt"');
  });
});
