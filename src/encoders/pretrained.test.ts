import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { findPretrained } from "./pretrained.ts";
import { temporaryFolder } from "./transformer/tiny-models.suite.ts";

/** Makes a folder with empty files. */
async function folder(path: string, ...files: string[]): Promise<string> {
  await mkdir(path, { recursive: true });
  for (const file of files) await writeFile(join(path, file), "");
  return path;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("findPretrained", () => {
  it("finds the files of a directory", async () => {
    const directory = await folder(
      await temporaryFolder(),
      "config.json",
      "tokenizer.json",
      "model.safetensors",
      "a.safetensors",
    );
    expect(await findPretrained(directory)).toEqual({
      config: join(directory, "config.json"),
      weights: join(directory, "model.safetensors"),
      tokeniser: join(directory, "tokenizer.json"),
    });
  });

  it.each(["model.fp16.safetensors", "weights.safetensors"])(
    "takes %s where there is no model.safetensors",
    async (name) => {
      const directory = await folder(await temporaryFolder(), "config.json", "tokenizer.json", name);
      expect((await findPretrained(directory)).weights).toBe(join(directory, name));
    },
  );

  it("takes pytorch_model.bin where there is no .safetensors", async () => {
    const directory = await folder(await temporaryFolder(), "config.json", "tokenizer.json", "pytorch_model.bin");
    expect((await findPretrained(directory)).weights).toBe(join(directory, "pytorch_model.bin"));
    await folder(directory, "a.safetensors");
    expect((await findPretrained(directory)).weights).toBe(join(directory, "a.safetensors"));
  });

  it("finds a package that is installed for the working directory, with its files in model/", async () => {
    const project = await temporaryFolder();
    const inside = join(project, "node_modules", "@scope", "tiny", "model");
    await folder(inside, "config.json", "tokenizer.json", "model.safetensors");
    vi.spyOn(process, "cwd").mockReturnValue(join(project, "sub", "folder"));
    expect((await findPretrained("@scope/tiny")).config).toBe(join(inside, "config.json"));
  });

  it("gives the command that installs a missing package", async () => {
    await expect(findPretrained("@scope/missing-model")).rejects.toThrow(
      'no directory and no installed package "@scope/missing-model"; install it with: npm install @scope/missing-model',
    );
  });

  it("does not offer to install what cannot be a package", async () => {
    await expect(findPretrained("./missing")).rejects.toThrow('no such directory: "./missing"');
    await expect(findPretrained("google-bert/bert-base-cased")).rejects.toThrow(
      'no such directory: "google-bert/bert-base-cased"',
    );
  });

  it("says which file is missing, and what to do with an ONNX model", async () => {
    const empty = await temporaryFolder();
    await expect(findPretrained(empty)).rejects.toThrow(`${empty}: has no config.json, neither here nor in model/`);
    await folder(empty, "model.onnx");
    await expect(findPretrained(empty)).rejects.toThrow(
      `(model.onnx must be imported first: lacuna import ${empty} --out DIR)`,
    );
    await folder(empty, "config.json");
    await expect(findPretrained(empty)).rejects.toThrow("needs a tokenizer.json beside its config.json");
    await folder(empty, "tokenizer.json");
    await expect(findPretrained(empty)).rejects.toThrow(
      "weights must be one .safetensors file, or pytorch_model.bin, preferably model.safetensors, found none",
    );
    await folder(empty, "b.safetensors", "a.safetensors");
    await expect(findPretrained(empty)).rejects.toThrow("found a.safetensors, b.safetensors");
  });
});
