import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Annotation, type Document, makeSentence } from "../text/document.ts";
import { findTokens } from "../text/tokens.ts";
import { packBatch, packDecisions, unpackDecisions, unpackSentences } from "./batch.ts";
import { buildMatcher } from "./build.ts";
import { type Decision, labelDocument } from "./label.ts";
import { outcomes } from "./policy.ts";
import { label } from "./stream.ts";

const matcher = buildMatcher([
  { surface: "Rome", type: "LOC", dictionary: "d" },
  { surface: "Ada", type: "PER", dictionary: "d" },
]);

const documentOf = (text: string, annotation: Annotation = {}): Document => ({
  text,
  sentences: [makeSentence(text, findTokens(text), annotation)],
});

// Threads run built files; test/cli/label.test.ts compares them with one thread.
describe("a stream of documents", () => {
  it("is labelled in order, each document as it would be alone", async () => {
    const documents = ["Ada in Rome", "", "Rome", "nothing"].map((text) => documentOf(text));
    const labelled: Document[] = [];
    for await (const { document } of label(documents, matcher)) labelled.push(document);
    expect(labelled).toEqual(documents.map((document) => labelDocument(document, matcher)));
    expect(labelled[0]!.sentences[0]!.entities.map(({ type }) => type)).toEqual(["PER", "LOC"]);
  });

  it("starts no thread for a small input, and still takes the policy", async () => {
    const options = { workers: 4, existing: "replace" as const };
    const documents = [documentOf("Ada", { entities: [{ start: 0, end: 1, type: "X" }] })];
    const found: string[] = [];
    for await (const { document } of label(documents, matcher, options)) {
      found.push(...document.sentences[0]!.entities.map(({ type }) => type));
    }
    expect(found).toEqual(["PER"]);
  });

  it("refuses an unknown policy before it reads anything", async () => {
    const documents = (function* (): Generator<Document> {
      yield expect.fail("read");
    })();
    await expect(label(documents, matcher, { overlaps: "no" as "longest" }).next()).rejects.toThrow("unknown policy");
  });
});

describe("a batch for another thread", () => {
  const anyDocument = fc.array(fc.constantFrom("Ada in", "Rome .", "中国", ""), { maxLength: 3 }).chain((parts) =>
    fc.array(fc.boolean(), { minLength: parts.length, maxLength: parts.length }).map((annotated): Document => {
      const text = parts.join("\n");
      let from = 0;
      const sentences = parts.map((part, i) => {
        const offsets = findTokens(part).map((offset) => offset + from);
        from += part.length + 1;
        return makeSentence(text, offsets, annotated[i] ? { rejected: [{ start: 0, end: 1 }] } : {});
      });
      return { text, sentences };
    }),
  );

  it("unpacks to the same sentences", () => {
    fc.assert(
      fc.property(fc.array(anyDocument, { maxLength: 4 }), (documents) => {
        expect([...unpackSentences(packBatch(documents))]).toEqual(documents.flatMap(({ sentences }) => sentences));
      }),
    );
  });

  it("brings the decisions back to their sentences", () => {
    const anyDecision = fc.record({
      start: fc.nat(9),
      end: fc.nat(9),
      key: fc.nat(),
      outcome: fc.constantFrom(...outcomes),
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.array(anyDecision, { maxLength: 3 }), { maxLength: 3 })),
        (decisions: Decision[][][]) => {
          const documents = decisions.map((sentences) => ({
            text: "",
            sentences: sentences.map(() => makeSentence("", new Int32Array(0))),
          }));
          expect(unpackDecisions(packDecisions(decisions.flat()), documents)).toEqual(decisions);
        },
      ),
    );
  });
});
