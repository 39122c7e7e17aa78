import { rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { writeCharlm } from "../../src/encoders/sources/tiny-charlm.suite.ts";
import { makeFolder, run } from "./lacuna.ts";
import { serving } from "./server.ts";
import { corpus } from "./tiny.ts";

/** A model over several sources, one of which is frozen and lies elsewhere, and a tagger that needs nothing else. */
it("models of different heads and encoders are served together, each with its own frozen parts", async () => {
  const folder = makeFolder({ "corpus.conll": corpus });
  const charlm = await writeCharlm();
  const set = (...settings: readonly string[]): string[] => settings.flatMap((each) => ["--set", each]);
  const train = async (out: string, ...args: readonly string[]): Promise<void> => {
    const data = ["--train", "corpus.conll", "--dev", "corpus.conll", "--method", "ce", "--silence", "negative"];
    const environment = { LACUNA_CACHE: join(folder.scratch, "cache") };
    const { code, stderr } = await run(folder, ["train", ...data, "--out", out, "--quiet", ...args], "", environment);
    expect([code, stderr]).toEqual([0, ""]);
  };
  const small = set("batchTokens=64", "rate=0.02", "encoder.context.units=16", "head.hidden=16");
  const tagger = set("batchTokens=64", "rate=0.02", "encoder.units=16", "encoder.wordWidth=16");
  await train("stack", "--encoder", `words+charlm:${charlm}+shapes`, "--epochs", "6", ...small);
  await train("tags", "--epochs", "4", ...set("head=token"), ...tagger);
  await rename(charlm, join(folder.path, "moved"));

  const models = ["--model", "stack", "--model", "tags"];
  const refused = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(folder, ["serve", "--port", "0", ...models, ...args]);
    expect([code, stdout]).toEqual([2, ""]);
    return stderr.trimEnd().split("\n").at(-1)!;
  };
  expect(await refused()).toMatch(
    /model stack: part charlm: the model needs the one it was trained with, .*--part charlm=DIR$/,
  );
  expect(await refused("--part", "charlm=moved")).toContain(
    "model tags: --part: the encoder bilstm holds all it needs",
  );
  expect(await refused("--part", "news:charlm=moved")).toContain(
    '--part: there is no model "news" (known: stack, tags)',
  );

  const { server, end } = await serving(folder, ...models, "--part", "stack:charlm=moved");
  onTestFinished(end);
  for (const name of ["stack", "tags"]) {
    const { status, json } = await server.post({ inputs: "Ada lives in Oslo ." }, `/models/${name}/tag`);
    expect(status).toBe(200);
    expect(json.map(({ word }: { word: string }) => word)).toEqual(["Ada", "Oslo"]);
  }
});
