import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { feeder } from "../src/inputs/index.ts";
import { tokenCount, tokenise } from "../src/text/index.ts";
import { InputError } from "../src/util/errors.ts";
import type { ExportedRecogniser } from "../src/web/index.ts";

const script = "bench/peers/transformers-js.mjs";

/** What the pipeline says of a text: the ids of its sub-words, and the best tag of each. */
interface Piped {
  readonly ids: readonly number[];
  readonly tags: readonly { readonly index: number; readonly entity: string; readonly score: number }[];
}

/** Compares the tag of each word's first sub-word, and its probability, with those of the model. */
export async function withTransformersJs(
  exported: string,
  onnx: string,
  recogniser: ExportedRecogniser,
  texts: readonly string[],
): Promise<string> {
  const { description } = recogniser;
  const spec = description.inputs.find((each) => each.kind === "subwords")!;
  const { feed } = feeder([spec], { [spec.tokenizer]: readFileSync(join(onnx, spec.tokenizer), "utf8") });
  const piped = pipe(exported, texts);
  const labels = description.labels.length;
  const count = { texts: 0, words: 0, others: 0 };
  let largest = 0;
  for (const [i, text] of texts.entries()) {
    const { sentences } = tokenise(text);
    const [sentence] = sentences;
    if (sentences.length !== 1) continue;
    const feeds = feed([sentence!]);
    const { ids, tags } = piped[i]!;
    // Some words are split otherwise there, and long texts are cut off.
    if (feeds[spec.inputs.ids]!.data.join() !== ids.join()) continue;
    count.texts++;
    const { logProbs } = (await recogniser.scores([sentence!]))[0]!;
    const places = feeds[spec.inputs.first]!.data;
    for (let word = 0; word < tokenCount(sentence!); word++) {
      const given = tags.find(({ index }) => index === places[word]);
      // The pipeline leaves out sub-words of which it can show nothing.
      if (given === undefined) continue;
      const shares = logProbs.subarray(word * labels, (word + 1) * labels);
      const best = shares.indexOf(Math.max(...shares));
      count.words++;
      if (description.labels[best] !== given.entity) count.others++;
      largest = Math.max(largest, Math.abs(Math.exp(shares[best]!) - given.score));
    }
  }
  return (
    `transformers.js: ${count.texts} of ${texts.length} sentences are split into the same sub-words; of their ` +
    `${count.words} words ${count.others} have another tag, probabilities differ by ${largest.toExponential(1)} at most`
  );
}

function pipe(exported: string, texts: readonly string[]): Piped[] {
  const run = (...args: readonly string[]): string => {
    const { stdout, status } = spawnSync(process.execPath, [script, ...args], {
      encoding: "utf8",
      maxBuffer: 1 << 30,
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (status !== 0) throw new Error(`${script} ended with ${status}`);
    return stdout;
  };
  if (run() === "false") throw new InputError("it is not installed: node bench/peers/install-transformers-js.mjs");
  const file = `${exported}.texts.json`;
  writeFileSync(file, JSON.stringify(texts));
  return run(exported, file)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Piped);
}
