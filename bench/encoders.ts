import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { makeWordList, writeRandomModel } from "./encoder-data.ts";
import type { Bench } from "./harness.ts";

interface Cost {
  /** Of a token in training. */
  readonly seconds: number;
  readonly megabytes: number;
}

const withWords = ["flat", "bert-word", "lebert"] as const;

/** What training steps of the encoders with a lexicon cost beside those of the transformer alone, on the same text. */
export const encoders: Bench = {
  prefix: "encoder",
  async run(report) {
    const wanted = withWords.filter(
      (name) => report.wants(`encoder.${name}-step`) || report.wants(`encoder.${name}-memory`),
    );
    const plainly = ["encoder.transformer-tokens", "encoder.transformer-memory"].some((name) => report.wants(name));
    if (wanted.length === 0 && !plainly) return;
    const folder = await mkdtemp(join(tmpdir(), "lacuna-bench-"));
    try {
      const [model, lexicon] = [join(folder, "model"), join(folder, "words.txt")];
      await writeRandomModel(model);
      await writeFile(lexicon, makeWordList().join("\n"));
      const plain = await cost(`transformer:${model}`, lexicon);
      report.figure("encoder.transformer-tokens", 1 / plain.seconds, "tokens/s");
      report.figure("encoder.transformer-memory", plain.megabytes, "MB");
      for (const name of wanted) {
        const { seconds, megabytes } = await cost(name === "flat" ? name : `${name}:${model}`, lexicon);
        report.figure(`encoder.${name}-step`, seconds / plain.seconds, "× the transformer step");
        report.figure(`encoder.${name}-memory`, megabytes, "MB");
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

/** In a process of its own, whose memory nothing else has raised before. */
async function cost(encoder: string, lexicon: string): Promise<Cost> {
  const script = fileURLToPath(new URL("./encoder-steps.js", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, encoder, lexicon]);
  return JSON.parse(stdout) as Cost;
}
