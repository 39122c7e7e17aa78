import { expect, it } from "vitest";
import { columns, run, sharedFolder } from "./lacuna.ts";

const folder = sharedFolder({
  "people.txt": "Ada\nBob Gray\n",
  "dev.conll": columns("Ada/B-PER met/O Bob/B-PER Gray/I-PER and/O Eve/B-PER ./O"),
});

it("a dictionary becomes a model without training data, which tags and is evaluated like any other", async () => {
  const made = ["train", "--method", "dictionary", "--dict", "people.txt=PER", "--dev", "dev.conll", "--out", "model"];
  const { code, stdout, stderr } = await run(folder, [...made, "--json"]);
  expect(stderr).toContain("made without training, dev P 100.00 R 66.67");
  expect(stderr).toContain("model: F1 on dev 80.00 %");
  expect(JSON.parse(stdout)).toMatchObject({ model: "model", epoch: 0, dev: { recall: 2 / 3 } });
  expect(code).toBe(0);
  const measured = await run(folder, ["evaluate", "--model", "model", "--data", "dev.conll", "--json"]);
  expect(JSON.parse(measured.stdout)).toMatchObject({ precision: 1, recall: 2 / 3 });
  const shifted = await run(folder, ["tag", "--model", "model", "--in", "dev.conll", "--out", "-", "--shift", "-1"]);
  expect(shifted).toMatchObject({ code: 2, stdout: "" });
  expect(shifted.stderr).toContain("a dictionary says yes or no");
  const exported = await run(folder, ["export", "--model", "model", "--out", "exported"]);
  expect(exported.code).toBe(2);
  expect(exported.stderr).toContain("export: a dictionary is looked up, not computed");
});

it("other methods need training data and take no dictionary", async () => {
  const without = await run(folder, ["train", "--method", "ce", "--out", "no"]);
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining("required option '--train <file>'") });
  const unused = await run(folder, ["train", "--train", "dev.conll", "--dict", "people.txt", "--out", "no"]);
  expect(unused.code).toBe(2);
  expect(unused.stderr).toContain("--dict: method uniform takes no dictionary (methods that do: dictionary)");
});
