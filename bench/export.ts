import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadTransformer, transformerSettings } from "../src/encoders/index.ts";
import { exportModel, openExported } from "../src/export/index.ts";
import { heads } from "../src/heads/index.ts";
import { Recogniser, saveModel } from "../src/inference/index.ts";
import { ParameterStore } from "../src/nn/index.ts";
import { type Sentence, tokenCount } from "../src/text/index.ts";
import { makeSentences, makeWordList, writeRandomModel } from "./encoder-data.ts";
import { type Bench, bestSeconds } from "./harness.ts";

/** Exported models on ONNX Runtime beside the recogniser, and bytes beside floats, in one run. */
export const exported: Bench = {
  prefix: "export",
  async run(report) {
    const folder = await mkdtemp(join(tmpdir(), "lacuna-bench-"));
    try {
      const sentences = makeSentences(makeWordList(), 120);
      const model = join(folder, "model");
      await writeTagger(join(folder, "encoder"), model, sentences);
      const tagger = await Recogniser.load(model);
      const own = await bestSeconds(3, () => tagger.sentences(sentences).then(() => {}));
      await tagger.dispose();
      const seconds: Record<string, number> = {};
      for (const precision of ["float32", "int8"] as const) {
        const out = join(folder, precision);
        const { bytes } = await exportModel(model, out, { int8: precision === "int8" });
        const opened = await openExported(out);
        seconds[precision] = await bestSeconds(3, () => opened.sentences(sentences).then(() => {}));
        await opened.dispose();
        report.figure(`export.megabytes.${precision}`, bytes / 1e6, "MB");
      }
      const tokens = sentences.reduce((sum, sentence) => sum + tokenCount(sentence), 0);
      report.figure("export.float32", own / seconds.float32!, "× the speed of the recogniser");
      report.figure("export.int8", seconds.float32! / seconds.int8!, "× the speed of float32");
      report.figure("export.int8-tokens", tokens / seconds.int8!, "tokens/s");
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** A tagger over a transformer of the size of bge-small-zh, with random weights. */
async function writeTagger(encoderFolder: string, directory: string, sentences: readonly Sentence[]): Promise<void> {
  await writeRandomModel(encoderFolder);
  const encoder = await loadTransformer(encoderFolder, sentences, transformerSettings.parse({}));
  const model = heads.token.open(encoder, ["A", "B"], heads.token.settings.parse({ output: "softmax" }));
  const store = new ParameterStore(model.params.specs).initialise(1);
  await saveModel(directory, model, store, { training: {}, provenance: {}, card: "" });
}
