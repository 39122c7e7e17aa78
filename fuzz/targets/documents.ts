import { diagnose, evaluate } from "../../src/evaluation/index.ts";
import { lacuna } from "../../src/formats/lacuna.ts";
import { buildMatcher, labelDocument } from "../../src/lexicon/index.ts";
import { mask } from "../../src/lexicon/mask.ts";
import { type Document, tokenCount } from "../../src/text/document.ts";
import { tokenise } from "../../src/text/tokenise.ts";
import { fullDocuments } from "../documents.ts";
import { ensure, type Target } from "../target.ts";
import { collect, memorySource } from "./formats.ts";

/** What is done with documents after they were read: everything that a reader accepts must be usable. */
const seeds = async (): Promise<Buffer[]> => [
  Buffer.from(
    (
      await collect(
        lacuna.write(
          (async function* () {
            yield* fullDocuments;
          })(),
          {},
        ),
      )
    ).join(""),
  ),
];

const read = (input: Buffer): Promise<Document[]> => collect(lacuna.read(memorySource(input), {}));

const matcher = buildMatcher(
  ["Lisbon", "Bank of China", "Bob", "w1", "w2 w3"].map((surface) => ({ surface, type: "X", dictionary: "d" })),
);

export const documentTargets: readonly Target[] = [
  {
    name: "check",
    shape: "json-lines",
    weight: 0.2,
    seeds,
    async run(input) {
      const documents = await read(input);
      const { counts } = diagnose(documents);
      const entities = documents
        .flatMap(({ sentences }) => sentences)
        .reduce((sum, each) => sum + each.entities.length, 0);
      ensure(counts.entities <= entities, "check: more entities than there are");
    },
  },
  {
    name: "evaluate",
    shape: "json-lines",
    seeds,
    weight: 0.3,
    async run(input) {
      const documents = await read(input);
      const pairs = documents.flatMap(({ sentences }) =>
        sentences.map((gold, i) => ({ gold, predicted: sentences[sentences.length - 1 - i]! })),
      );
      const alike = pairs.filter(({ gold, predicted }) => tokenCount(gold) === tokenCount(predicted));
      const { precision, recall } = await evaluate(alike);
      ensure(precision >= 0 && precision <= 1 && recall >= 0 && recall <= 1, "evaluate: a score beyond 0 to 1");
    },
  },
  {
    name: "mask",
    shape: "json-lines",
    seeds,
    async run(input, _, variant) {
      const documents = await read(input);
      const mode = variant & 1 ? ({ by: "fraction", fraction: 0.5 } as const) : ({ by: "mention", rate: 0.5 } as const);
      const masked = await collect(mask(documents, mode, variant));
      for (const [i, { masked: left, hidden }] of masked.entries()) {
        for (const [j, { entities }] of documents[i]!.sentences.entries()) {
          const sum = left.sentences[j]!.entities.length + hidden.sentences[j]!.entities.length;
          ensure(sum === entities.length, "mask: entities were lost or doubled");
        }
      }
    },
  },
  {
    name: "label",
    shape: "json-lines",
    seeds,
    async run(input, _, variant) {
      const overlaps = (["longest", "squared", "drop", "candidates", "priority"] as const)[variant % 5]!;
      const policy = {
        overlaps,
        conflicts: "drop",
        complete: false,
        existing: variant & 8 ? "replace" : "keep",
      } as const;
      for (const document of await read(input)) {
        const labelled = labelDocument(document, matcher, policy);
        ensure(labelled.text === document.text, "label: the text was changed");
      }
    },
  },
  {
    name: "tokenise",
    shape: "lines",
    seeds: async () => fullDocuments.map(({ text }) => Buffer.from(text)),
    async run(input) {
      const text = input.toString("utf8");
      const { sentences } = tokenise(text);
      const bounds = sentences.flatMap(({ offsets }) => [...offsets]);
      ensure(
        bounds.every((bound, i) => bound <= text.length && (i === 0 || bound >= bounds[i - 1]!)),
        "tokenise: tokens out of order",
      );
      let covered = 0;
      for (let i = 0; i < bounds.length; i += 2) covered += bounds[i + 1]! - bounds[i]!;
      const blank = text.replaceAll(/[\p{White_Space}\u200b\ufeff]/gu, "").length;
      ensure(covered >= blank, "tokenise: characters are in no token");
    },
  },
];
