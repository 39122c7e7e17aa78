import { type Chain, posterior, viterbi } from "../../nn/index.ts";
import { entitiesOfTags, isCandidate, type Sentence, typeSets } from "../../text/index.ts";
import type { Completion, ItemScores } from "../head.ts";
import { allowedTags } from "./allowed-tags.ts";
import { tokenStates } from "./states.ts";
import type { TagSet } from "./tag-set.ts";

/** The best tags, and the distribution of each, among the sequences that the annotation of a sentence allows. */
export function tokenCompletion(
  sentence: Sentence,
  { logits }: Pick<ItemScores, "logits">,
  chain: Chain<ArrayLike<number>>,
  tagSet: TagSet,
  types: readonly string[],
): Completion {
  const sets = typeSets(types);
  const { states, entities, candidates } = tokenStates(sentence, sets);
  const tags = tagSet.encode(states.length, entities);
  const allowed = allowedTags({ states, tags, candidates }, tagSet, sets);
  const labels = viterbi(chain)(logits, allowed);
  return {
    labels,
    entities: entitiesOfTags(Array.from(labels, (tag) => tagSet.tags[tag]!)),
    shares: posterior(logits, chain, allowed),
    open: Uint8Array.from(states, (state) => (isCandidate(state) ? 1 : 0)),
  };
}
