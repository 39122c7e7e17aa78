import { type Document, makeSentence } from "../src/text/document.ts";
import { joinTokens } from "../src/text/join.ts";
import { tokenise } from "../src/text/tokenise.ts";

/** A few documents that hold everything a document can hold. */
export const plainDocuments: readonly Document[] = [
  tokenise("Ana Lopes moved to Lisbon. She works for Acme Corp.", {
    entities: [
      { start: 0, end: 9, type: "PER" },
      { start: 19, end: 25, type: "LOC" },
    ],
  }),
  tokenise("東京に住む👩‍🚀 e\u0301 \u202eabc", { entities: [{ start: 0, end: 2, type: "LOC" }] }),
];

export const fullDocuments: readonly Document[] = [
  ...plainDocuments,
  {
    id: "doc 7",
    ...tokenise(
      "Bank of China met Bob.\n\nNothing.",
      {
        entities: [
          { start: 0, end: 13, type: "ORG", score: 0.5, provenance: { source: "names.tsv", entry: "Bank of China" } },
          { start: 8, end: 13, type: "LOC" },
        ],
        rejected: [
          { start: 14, end: 17 },
          { start: 18, end: 21, type: "LOC" },
        ],
        unsure: [{ start: 18, end: 21 }],
        complete: [
          { start: 0, end: 17, types: ["LOC"] },
          { start: 24, end: 32 },
        ],
      },
      { id: "doc 7" },
    ),
  },
  manyEntities(50),
];

/** A sentence in which every token is an entity. */
function manyEntities(count: number): Document {
  const { text, offsets } = joinTokens([Array.from({ length: count }, (_, i) => `w${i % 7}`)]);
  const entities = Array.from({ length: count }, (_, i) => ({ start: i, end: i + 1, type: i % 2 ? "A" : "B" }));
  return { text, sentences: [makeSentence(text, offsets[0]!, { entities })] };
}
