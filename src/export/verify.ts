import { type LoadedModel, Scorer } from "../inference/index.ts";
import { type Sentence, tokenise } from "../text/index.ts";
import type { ExportedRecogniser } from "../web/index.ts";

/** Texts of several scripts and kinds, beside which both must say the same. */
const probes = [
  "Ada Lovelace met Charles Babbage in London on 5 June 1833.",
  "中国科学院的王小明教授昨天访问了北京大学。",
  "The U.S. firm O'Brien & Söhne paid $3.5m — 东京 office 👩‍🚀🇫🇷, Q3/2021.",
];

/** The largest difference between a probability of a model and of what was exported from it. */
export async function largestDifference(loaded: LoadedModel, exported: ExportedRecogniser): Promise<number> {
  const { model, store, retrieval } = loaded;
  const sentences = probeSentences();
  const scorer = await Scorer.create(model, store, { retrieval });
  let largest = 0;
  try {
    for await (const { at, scores } of scorer.pieces(sentences)) {
      const [found] = await exported.scores([sentences[at]!]);
      scores.logProbs.forEach((expected, i) => {
        largest = Math.max(largest, Math.abs(Math.exp(expected) - Math.exp(found!.logProbs[i]!)));
      });
    }
  } finally {
    await scorer.dispose();
  }
  return largest;
}

/** Sentences of the probes, without knowledge of what is in them. */
export function probeSentences(): Sentence[] {
  return probes.flatMap((text) => tokenise(text).sentences);
}
