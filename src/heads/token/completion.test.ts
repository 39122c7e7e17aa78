import { expect, it } from "vitest";
import { scoreOf, sequences, smallChain } from "../../../test/support/sequences.ts";
import { sentenceOf } from "../../../test/support/words.ts";
import { legalChain } from "../../nn/index.ts";
import { typeSets } from "../../text/index.ts";
import { random } from "../../util/random.ts";
import { allowedTags } from "./allowed-tags.ts";
import { tokenCompletion } from "./completion.ts";
import { tokenStates } from "./states.ts";
import { tagSet } from "./tag-set.ts";
import { tokensOf } from "./tokens-of.ts";

const types = ["LOC", "PER"];
const tags = tagSet(types, "bio"); // O, B-LOC, I-LOC, B-PER, I-PER
const sentence = sentenceOf("Ana saw old Porto today", {
  entities: [{ start: 0, end: 1, type: "PER" }],
  rejected: [{ start: 3, end: 4, type: "PER" }],
  complete: [{ start: 4, end: 5 }],
});
/** By hand: a label, anything but more of it, anything, no person, nothing. */
const possible = [[3], [0, 1, 2, 3], [0, 1, 2, 3, 4], [0, 1, 2], [0]];

it("a token keeps the tags that the annotation leaves to it", () => {
  const states = Int16Array.of(2, -1, -1, -3, 0);
  const sets = typeSets(types);
  sets.number(["PER"]); // set 2
  const allowed = allowedTags({ states, tags: Int32Array.of(3, 0, 0, 0, 0), candidates: new Map() }, tags, sets);
  expect(listed(allowed)).toEqual(possible);
});

it("a label of several types leaves the same part of each, and nothing goes on with either", () => {
  const { states, entities, candidates } = tokenStates(
    sentenceOf("Ana Lopes left", {
      entities: [
        { start: 0, end: 2, type: "LOC" },
        { start: 0, end: 2, type: "PER" },
      ],
    }),
    typeSets(types),
  );
  const known = { states, tags: tags.encode(3, entities), candidates };
  expect(listed(allowedTags(known, tags, typeSets(types)))).toEqual([
    [1, 3],
    [2, 4],
    [0, 1, 3],
  ]);
});

/** The tags of each token that have a 1. */
function listed(allowed: Float32Array): number[][] {
  return Array.from({ length: allowed.length / tags.size }, (_, token) =>
    tags.names.flatMap((_, tag) => (allowed[token * tags.size + tag] === 1 ? [tag] : [])),
  );
}

it("a completion is the best, and the distribution, of the legal sequences that the annotation allows", () => {
  const rng = random(3, "completion");
  const drawn = smallChain(tags.size, 5, rng);
  const barred = legalChain(tags.size, tags.legal);
  const add = (part: "transitions" | "start" | "end") => drawn[part].map((score, i) => score + barred[part][i]!);
  const chain = { ...drawn, transitions: add("transitions"), start: add("start"), end: add("end") };
  const scores = { items: tokensOf(5), logits: Float32Array.from(chain.emissions), logProbs: new Float32Array(25) };
  const { labels, entities, shares, open } = tokenCompletion(sentence, scores, chain, tags, types);

  const listed = [...sequences(tags.size, 5)].filter((path) =>
    path.every(
      (tag, token) => possible[token]!.includes(tag) && tags.legal(token === 0 ? undefined : path[token - 1], tag),
    ),
  );
  const weights = listed.map((path) => Math.exp(scoreOf(drawn, path)));
  const total = weights.reduce((a, b) => a + b);
  expect([...labels]).toEqual(listed[weights.indexOf(Math.max(...weights))]);
  for (let at = 0; at < 25; at++) {
    const [token, tag] = [Math.floor(at / 5), at % 5];
    const mass = weights.reduce((sum, weight, i) => sum + (listed[i]![token] === tag ? weight : 0), 0);
    expect(shares[at]).toBeCloseTo(mass / total, 5);
  }
  expect([...open]).toEqual([0, 1, 1, 1, 0]);
  expect(entities[0]).toMatchObject({ start: 0, type: "PER" });
});
