import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { annotate, type Document, tokenCount } from "../text/document.ts";
import { wholly } from "../text/states.ts";
import { schemes } from "../text/tags.ts";
import {
  anyDocument,
  collect,
  plainTexts,
  readContent,
  textDocuments,
  tokenDocuments,
  written,
} from "./documents.suite.ts";
import type { FileFormat, Format } from "./format.ts";
import { formats, type ReadOptions, readAll, type Silence, type WriteOptions, writeDocuments } from "./index.ts";
import { firstKeys } from "./json.ts";
import { reducer } from "./losses.ts";

/** What has to be said to a reader to get back all that the writer wrote. */
const readBack: Readonly<Record<string, ReadOptions>> = { "label-studio": { candidates: true } };

/** Documents that a format can express in full, beyond the few that random ones happen to be. */
const expressible: Readonly<Record<string, fc.Arbitrary<Document>>> = {
  lacuna: anyDocument,
  conll: tokenDocuments(true, { min: 1, max: 3 }).filter(({ sentences }) =>
    sentences.every(({ offsets }) => offsets.length > 0),
  ),
  "label-studio": textDocuments(false),
  prodigy: textDocuments(false),
  doccano: textDocuments(false),
  spacy: textDocuments(true),
  "spacy-doc": textDocuments(true),
  huggingface: tokenDocuments(true, { min: 1, max: 1 }),
  negsampling: tokenDocuments(false, { min: 1, max: 1 }),
  "ds-ner": tokenDocuments(false, { min: 1, max: 1 }),
  pure: tokenDocuments(false, { min: 0, max: 3 }),
  brat: textDocuments(false),
  text: plainTexts,
};

const silences: readonly Silence[] = ["unknown", "negative"];
const runs = { numRuns: 60 };

/** Formats of bytes are read only: their tests stand beside them. */
const writtenFormats = formats.filter(({ storage }) => storage !== "binary");

describe.each(writtenFormats.map((format): [string, Format] => [format.name, format]))("%s", (name, format) => {
  const options = fc.record({ silence: fc.constantFrom(...silences), scheme: fc.constantFrom(...schemes) });

  it("reads back what its limits leave of any documents", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyDocument, { maxLength: 3 }),
        options,
        fc.integer({ min: 1, max: 40 }),
        async (documents, using, chunk) => {
          const { read, reduced } = await roundTrip(format, documents, using, chunk);
          expect(read).toEqual(reduced);
        },
      ),
      runs,
    );
  });

  it("is the identity on what it can express, and loses nothing", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(expressible[name]!, { minLength: 1, maxLength: 3 }), async (documents) => {
        const { read, losses } = await roundTrip(format, documents, {}, 16);
        expect(losses).toEqual([]);
        expect(read).toEqual(documents);
      }),
      runs,
    );
  });

  it("keeps that documents are complete when silence is declared negative on both sides", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(expressible[name]!, { minLength: 1, maxLength: 3 }), async (documents) => {
        const complete = documents.map(completed);
        const { read, losses } = await roundTrip(format, complete, { silence: "negative" }, 16);
        expect(losses).toEqual([]);
        expect(read).toEqual(complete);
      }),
      runs,
    );
  });

  it("leaves documents alone that are within its limits already", async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, options, async (document, using) => {
        const once = reduce(format, [document], using);
        const twice = reduce(format, await once.documents(), using);
        expect(await twice.documents()).toEqual(await once.documents());
        // What stays in the file, to be asked for, is told each time.
        const kept = format.limits.filter(({ onRequest }) => onRequest).map(({ what }) => what);
        expect(twice.losses().filter(({ what }) => !kept.includes(what))).toEqual([]);
      }),
      runs,
    );
  });

  it("reads nothing from nothing", async () => {
    if (format.storage === "folder") return;
    expect(await readContent(format, "")).toEqual([]);
    const { content } = await written(format, []);
    expect(await readContent(format, content)).toEqual([]);
  });
});

it("tells each format from all others by its beginning, except plain text, which begins like anything", async () => {
  const files = formats.filter((format): format is FileFormat => format.storage === "file" && format.name !== "text");
  for (const format of files) {
    await fc.assert(
      fc.asyncProperty(expressible[format.name]!, async (document) => {
        const { content } = await written(format, [document]);
        if (content.trim() === "") return;
        const bytes = Buffer.from(content);
        const sample = { head: content, bytes, keys: firstKeys(content), extension: "" };
        const known = formats.filter((other) => other.recognises(sample)).map((other) => other.name);
        expect(known).toEqual([format.name]);
      }),
      { numRuns: 20 },
    );
  }
});

function completed(document: Document): Document {
  const sentences = document.sentences.map((sentence) =>
    annotate(sentence, { complete: wholly(tokenCount(sentence)) }),
  );
  return { ...document, sentences };
}

function reduce(format: Format, documents: readonly Document[], options: WriteOptions) {
  const { reduced, losses } = reducer(format, documents, "memory", { ...options, onLoss: "list" });
  const collected = collect(reduced);
  return { documents: () => collected, losses };
}

async function roundTrip(format: Format, documents: readonly Document[], options: WriteOptions, chunkSize: number) {
  const using = { ...options, format: format.name };
  const back = { silence: options.silence, ...readBack[format.name] };
  if (format.storage === "file") {
    const { content, reduced, losses } = await written(format, documents, using);
    return { read: await readContent(format, content, back, chunkSize), reduced, losses };
  }
  const named = documents.filter(
    ({ id }, i) => id === undefined || documents.findIndex((other) => other.id === id) === i,
  );
  const reduced = await reduce(format, named, options).documents();
  const folder = await mkdtemp(join(tmpdir(), "lacuna-test-"));
  try {
    const path = join(folder, "corpus");
    const losses = await writeDocuments(path, named, { ...using, onLoss: "list" });
    const read = await readAll([path], { ...back, format: format.name });
    return { read: byId(read), reduced: byId(reduced), losses };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A folder keeps documents in the order of their names. */
function byId(documents: readonly Document[]): Document[] {
  return documents.toSorted((a, b) => (a.id ?? "~").localeCompare(b.id ?? "~"));
}
