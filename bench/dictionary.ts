import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dictionarySettings, openDictionary } from "../src/heads/index.ts";
import { Predictor } from "../src/inference/index.ts";
import { buildMatcher } from "../src/lexicon/index.ts";
import { ParameterStore } from "../src/nn/index.ts";
import { makeSentence } from "../src/text/index.ts";
import { findTokens } from "../src/text/tokens.ts";
import { type Bench, bestSeconds } from "./harness.ts";
import { makeLexiconData } from "./lexicon-data.ts";

const entries = 50_000;
const textBytes = 1e6;

/** Tagging with the model of the method `dictionary` beside the matcher alone, on the same sentences. */
export const dictionary: Bench = {
  prefix: "method.dictionary",
  async run(report) {
    const { surfaces, lines } = makeLexiconData(entries, textBytes);
    const sentences = lines.map((text) => makeSentence(text, findTokens(text)));
    const matcher = buildMatcher(surfaces.map((surface) => ({ surface, type: "PER", dictionary: "names" })));
    const alone = await bestSeconds(5, () => {
      for (const sentence of sentences) matcher.find(sentence);
    });
    const folder = await mkdtemp(join(tmpdir(), "lacuna-bench-"));
    try {
      const file = join(folder, "names.txt");
      await writeFile(file, surfaces.join("\n"));
      const model = await openDictionary(dictionarySettings.parse({ files: [`${file}=PER`] }));
      const predictor = await Predictor.create(model, new ParameterStore(model.params.specs));
      const tagging = await bestSeconds(5, () => predictor.predict(sentences).then(() => {}));
      await predictor.dispose();
      report.figure("method.dictionary.tag", tagging / alone, "× the matcher alone");
      report.figure("method.dictionary.tag-speed", textBytes / tagging / 1e6, "MB/s");
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};
