import { type Chain, viterbi } from "../../nn/pure.ts";
import { entitiesOfTags } from "../../text/index.ts";
import type { FindCandidates } from "../head.ts";
import type { TagSet } from "./tag-set.ts";

/** Finds the entities of the best legal sequence of tags, each as probable as the least probable of its tags. */
export function tagCandidates(
  chain: Chain<ArrayLike<number>>,
  tagSet: Pick<TagSet, "size" | "tags">,
  types: readonly string[],
): FindCandidates {
  const bestPath = viterbi(chain);
  return (scores) => {
    const path = bestPath(scores.logits);
    const entities = entitiesOfTags(Array.from(path, (tag) => tagSet.tags[tag]!));
    return entities.map(({ start, end, type }) => {
      let score = 0;
      for (let token = start; token < end; token++)
        score = Math.min(score, scores.logProbs[token * tagSet.size + path[token]!]!);
      return { start, end, label: types.indexOf(type) + 1, score };
    });
  };
}
