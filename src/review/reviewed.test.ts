import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allowedAt, annotate, type Document, type Sentence, stateOf, surface } from "../text/index.ts";
import { history } from "./history.ts";
import { type Entry, type Item, verdicts } from "./model.ts";
import { auditOf, decided, decision, documentOf, suspicion } from "./review.suite.ts";
import { openReview } from "./review.ts";

const text = "Ana Lopes flew from Porto to Jordan River .";
const documents = [
  documentOf(text, [
    ["Porto", "PER"],
    ["Jordan", "LOC"],
  ]),
];

/** What a sentence says, readable: `LOC Porto <review`, `not PER Porto`, `unsure Porto`. */
function said(document: Document): string[] {
  return document.sentences.flatMap((sentence) => [
    ...sentence.entities.map(
      (each) => `${each.type} ${surface(sentence, each)}${each.provenance ? ` <${each.provenance.source}` : ""}`,
    ),
    ...sentence.rejected.map((each) => `not ${each.type} ${surface(sentence, each)}`),
    ...sentence.unsure.map((each) => `unsure ${surface(sentence, each)}`),
  ]);
}

const missing = suspicion("missing", documents, 1, "Ana Lopes", "PER");
const wrong = suspicion("wrong", documents, 1, "Porto", "PER", ["Porto", "PER"]);
const type = suspicion("type", documents, 1, "Porto", "LOC", ["Porto", "PER"]);
const boundary = suspicion("boundary", documents, 1, "Jordan River", "LOC", ["Jordan", "LOC"]);
const before = ["PER Porto", "LOC Jordan"];
const lopes = { start: text.indexOf("Lopes"), end: text.indexOf("Lopes") + 5 };

describe("a decision becomes a state, never plain O", () => {
  it.each([
    ["missing, accepted", missing, { verdict: "accept" }, ["PER Ana Lopes <review", ...before]],
    ["missing, rejected", missing, { verdict: "reject" }, [...before, "not PER Ana Lopes"]],
    ["missing, unsure", missing, { verdict: "unsure" }, [...before, "unsure Ana Lopes"]],
    [
      "missing, accepted with another type",
      missing,
      { verdict: "accept", type: "LOC" },
      ["LOC Ana Lopes <review", ...before, "not PER Ana Lopes"],
    ],
    [
      "missing, accepted with another span",
      missing,
      { verdict: "accept", ...lopes },
      ["PER Lopes <review", ...before, "not PER Ana Lopes"],
    ],
    ["wrong, accepted", wrong, { verdict: "accept" }, ["LOC Jordan", "not PER Porto"]],
    ["wrong, rejected", wrong, { verdict: "reject" }, ["PER Porto <review", "LOC Jordan"]],
    ["wrong, unsure", wrong, { verdict: "unsure" }, ["LOC Jordan", "unsure Porto"]],
    [
      "wrong, accepted with another type",
      wrong,
      { verdict: "accept", type: "LOC" },
      ["LOC Porto <review", "LOC Jordan", "not PER Porto"],
    ],
    ["type, accepted", type, { verdict: "accept" }, ["LOC Porto <review", "LOC Jordan", "not PER Porto"]],
    ["type, rejected", type, { verdict: "reject" }, ["PER Porto <review", "LOC Jordan", "not LOC Porto"]],
    ["type, unsure", type, { verdict: "unsure" }, ["LOC Jordan", "unsure Porto"]],
    [
      "type, accepted with a third type",
      type,
      { verdict: "accept", type: "ORG" },
      ["ORG Porto <review", "LOC Jordan", "not PER Porto", "not LOC Porto"],
    ],
    [
      "boundary, accepted",
      boundary,
      { verdict: "accept" },
      ["PER Porto", "LOC Jordan River <review", "not LOC Jordan"],
    ],
    [
      "boundary, rejected",
      boundary,
      { verdict: "reject" },
      ["PER Porto", "LOC Jordan <review", "not LOC Jordan River"],
    ],
    ["boundary, unsure", boundary, { verdict: "unsure" }, ["PER Porto", "unsure Jordan", "unsure Jordan River"]],
    ["opened again", boundary, { verdict: "open" }, before],
  ] as const)("%s", async (_, item, content, expected) => {
    const [document] = await decided(documents, [item], { items: [1], ...content });
    expect(said(document!)).toEqual(expected);
    expect(document!.text).toBe(text);
  });

  it("and training sees it as the design says", async () => {
    const [rejected] = await decided(documents, [missing], { items: [1], verdict: "reject" });
    const [sentence] = rejected!.sentences as [Sentence];
    const ana = { start: 0, end: 2 };
    expect(allowedAt(sentence, ana)).toEqual({ kind: "open", excluded: ["PER"] });
    expect(stateOf(sentence, ana, "LOC")).toBe("unknown");
    const [unsure] = await decided(documents, [wrong], { items: [1], verdict: "unsure" });
    expect(stateOf(unsure!.sentences[0]!, { start: 4, end: 5 })).toBe("unsure");
  });
});

describe("several decisions", () => {
  const other = suspicion("missing", documents, 1, "Ana Lopes", "ORG");

  it("on one span: the last word counts", async () => {
    const last = async (...order: readonly number[]): Promise<string[]> => {
      const contents = order.map((item) => ({ items: [item], verdict: item === 1 ? "accept" : "unsure" }) as const);
      return said((await decided(documents, [missing, other], ...contents))[0]!);
    };
    expect(await last(1, 2)).toEqual(["PER Ana Lopes <review", ...before, "unsure Ana Lopes"]);
    expect(await last(2, 1)).toEqual(["PER Ana Lopes <review", ...before]);
  });

  it("may overlap, and both stay", async () => {
    const inner = suspicion("missing", documents, 1, "Lopes", "PER");
    const [document] = await decided(documents, [missing, inner], { items: [1, 2], verdict: "accept" });
    expect(said(document!)).toEqual(["PER Ana Lopes <review", "PER Lopes <review", ...before]);
  });

  it("take away what the data said against it", async () => {
    const [sentence] = documents[0]!.sentences as [Sentence];
    const span = { start: 0, end: 2 };
    const against = [{ ...documents[0]!, sentences: [annotate(sentence, { rejected: [span], unsure: [span] })] }];
    const [document] = await decided(against, [missing], { items: [1], verdict: "accept" });
    expect(said(document!)).toEqual(["PER Ana Lopes <review", ...before]);
  });
});

describe("any decisions", () => {
  const items: readonly Item[] = [missing, wrong, type, boundary, suspicion("missing", documents, 1, "Ana", "PER")];
  const entry = fc.record({
    verdict: fc.constantFrom(...verdicts),
    items: fc.uniqueArray(fc.integer({ min: 1, max: items.length }), { minLength: 1 }),
  });

  it("taken back leave the data as they were, and redone what they said", async () => {
    const review = await openReview(documents, auditOf(items));
    const run = (entries: readonly Entry[]): Document[] => {
      const made = history(items.length);
      for (const each of entries) made.add(each);
      return [...review.reviewed(made)];
    };
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), (contents) => {
        const made: Entry[] = contents.map((content, i) => decision(i + 1, content));
        const reversed = (way: "undo" | "redo", from: number, order: readonly Entry[]): Entry[] =>
          order.map(({ sequence }, i) => ({ sequence: from + i + 1, time: "", client: "tab", [way]: sequence }));
        const back = reversed("undo", made.length, made.toReversed());
        expect(run([...made, ...back])).toEqual(documents);
        const again = reversed("redo", 2 * made.length, made);
        expect(run([...made, ...back, ...again])).toEqual(run(made));
      }),
    );
  });

  it("leave every span said once, and no span both right and wrong for a type", async () => {
    const review = await openReview(documents, auditOf(items));
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 12 }), (contents) => {
        const made = history(items.length);
        for (const [i, content] of contents.entries()) made.add(decision(i + 1, content));
        for (const document of review.reviewed(made)) {
          const lines = said(document).map((line) => line.replace(" <review", ""));
          expect(new Set(lines).size).toBe(lines.length);
          for (const line of lines) expect(lines).not.toContain(`not ${line}`);
        }
      }),
    );
  });
});
