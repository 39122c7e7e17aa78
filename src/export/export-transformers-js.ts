import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type LoadedModel, loadModel, Scorer } from "../inference/index.ts";
import { feeder } from "../inputs/index.ts";
import { onnxRuntime } from "../tensor/index.ts";
import { makeSentence, tokenCount } from "../text/index.ts";
import { refuseUsed, writeFolder } from "../util/output-folder.ts";
import type { ExportOptions, ExportReport } from "./export-model.ts";
import { quantised } from "./quantise.ts";
import { type TransformersJsModel, transformersJsFiles, transformersJsModel } from "./transformers-js.ts";
import { probeSentences } from "./verify.ts";
import { onnxBytes, writeFiles } from "./write.ts";

/** Writes a model directory that `pipeline("token-classification", DIR)` of transformers.js opens. */
export async function exportTransformersJs(
  directory: string,
  out: string,
  { int8 = false, signal, ...options }: Omit<ExportOptions, "check"> = {},
): Promise<ExportReport> {
  await refuseUsed(out);
  const loaded = await loadModel(directory, options);
  const tagger = await transformersJsModel(loaded);
  const precision = int8 ? "int8" : "float32";
  const model = onnxBytes(int8 ? quantised(tagger.graph) : tagger.graph);
  const files = { ...tagger.files(precision), [transformersJsFiles[precision]]: model };
  let difference = 0;
  await writeFolder(out, async (folder) => {
    await writeFiles(folder, files);
    difference = await differenceOf(loaded, tagger, join(folder, transformersJsFiles[precision]));
    signal?.throwIfAborted();
  });
  return { precision, bytes: model.length, files: Object.keys(files), difference };
}

/** The largest difference of a probability at the first sub-words of words. */
async function differenceOf(
  loaded: LoadedModel,
  { subwords, files }: TransformersJsModel,
  file: string,
): Promise<number> {
  const { InferenceSession, Tensor } = onnxRuntime();
  const session = await InferenceSession.create(await readFile(file), { logSeverityLevel: 3 });
  const scorer = await Scorer.create(loaded.model, loaded.store);
  const { feed } = feeder([subwords], { [subwords.tokenizer]: files("float32")["tokenizer.json"]! });
  const labels = loaded.model.labels.length;
  let largest = 0;
  try {
    const sentences = probeSentences().map(({ text, offsets }) => makeSentence(text, offsets.slice(0, 40)));
    for await (const { at, scores } of scorer.pieces(sentences)) {
      const feeds = feed([sentences[at]!]);
      const int64 = (name: string): unknown =>
        new Tensor("int64", BigInt64Array.from(feeds[name]!.data, BigInt), feeds[name]!.shape);
      const { ids, visible, first } = subwords.inputs;
      const { logits } = await session.run({ input_ids: int64(ids), attention_mask: int64(visible) });
      const found = logits!.data as Float32Array;
      for (let word = 0; word < tokenCount(sentences[at]!); word++) {
        const place = feeds[first]!.data[word]!;
        const shares = softmax(found.subarray(place * labels, (place + 1) * labels));
        shares.forEach((share, label) => {
          largest = Math.max(largest, Math.abs(share - Math.exp(scores.logProbs[word * labels + label]!)));
        });
      }
    }
  } finally {
    await scorer.dispose();
    await session.release();
  }
  return largest;
}

function softmax(scores: Float32Array): number[] {
  const most = Math.max(...scores);
  const shares = Array.from(scores, (score) => Math.exp(score - most));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}
