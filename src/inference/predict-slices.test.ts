import { expect, it } from "vitest";
import { type Document, surface, tokenise } from "../text/index.ts";
import { predictInSlices, type SliceOptions } from "./predict-slices.ts";
import { type ToyCalls, toyModel } from "./toy-tagging.suite.ts";

const documentOf = (id: string, text: string): Document => tokenise(text, {}, { id });

async function predicted(documents: readonly Document[], options: SliceOptions = {}, calls?: ToyCalls) {
  async function* stream() {
    yield* documents;
  }
  const result: Document[] = [];
  for await (const document of predictInSlices(toyModel(calls), stream(), options)) result.push(document);
  return result;
}

const surfaces = ({ sentences }: Document): string[] =>
  sentences.flatMap((sentence) => sentence.entities.map((entity) => surface(sentence, entity)));

it("gives every document its own prediction, in order, whatever their lengths", async () => {
  const documents = [
    documentOf("a", "A1 went. B2 came."),
    documentOf("none", ""),
    documentOf("long", Array.from({ length: 4000 }, (_, i) => `A${i} met them there.`).join(" ")),
    documentOf("b", "B3"),
    documentOf("one sentence", Array.from({ length: 20_000 }, (_, i) => (i % 500 === 0 ? `B${i}` : "x")).join(" ")),
    documentOf("last", " "),
  ];
  const result = await predicted(documents);
  expect(result.map(({ id }) => id)).toEqual(documents.map(({ id }) => id));
  for (const [i, document] of result.entries())
    expect(surfaces(document)).toEqual(documents[i]!.text.match(/[AB]\d+/g) ?? []);
});

it("tells how far it is inside a long document, and inside a long sentence", async () => {
  for (const text of ["one two three. ".repeat(12_500), "word ".repeat(50_000)]) {
    const [seen, calls]: [number[], ToyCalls] = [[], { tokens: [], pieces: [] }];
    await predicted([documentOf("long", text)], { seen: (tokens) => seen.push(tokens) }, calls);
    expect(calls.tokens.length).toBeGreaterThan(5);
    expect(Math.max(...calls.tokens)).toBeLessThanOrEqual(8000 + 256);
    expect(seen.length).toBe(calls.tokens.length);
    expect(seen.at(-1)).toBe(50_000);
    expect(seen.every((tokens, i) => i === 0 || tokens > seen[i - 1]!)).toBe(true);
  }
});

it("passes nothing on from nothing, and very many empty documents without keeping them", async () => {
  expect(await predicted([])).toEqual([]);
  let read = 0;
  async function* stream() {
    for (; read < 100_000; read++) yield documentOf("", "");
  }
  let most = 0;
  let passed = 0;
  for await (const _ of predictInSlices(toyModel(), stream())) most = Math.max(most, read - passed++);
  expect(passed).toBe(100_000);
  expect(most).toBeLessThan(3000);
});

it("passes on what is there when a source that is still being written pauses", async () => {
  let write: (document: Document | undefined) => void = () => {};
  async function* stream() {
    for (;;) {
      const next = await new Promise<Document | undefined>((resolve) => {
        write = resolve;
      });
      if (next === undefined) return;
      yield next;
    }
  }
  const results = predictInSlices(toyModel(), stream(), { patience: 5 });
  for (const name of ["A1", "B2"]) {
    const result = results.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    write(documentOf(name, `${name} spoke.`));
    const { value } = await result;
    expect(surfaces(value as Document)).toEqual([name]);
  }
  const end = results.next();
  await new Promise((resolve) => setTimeout(resolve, 20));
  write(undefined);
  expect((await end).done).toBe(true);
});

it("fails as its source does, and closes it when nobody asks any more", async () => {
  async function* failing() {
    yield documentOf("a", "A1");
    throw new RangeError("unreadable");
  }
  const reading = async () => {
    for await (const _ of predictInSlices(toyModel(), failing()));
  };
  await expect(reading()).rejects.toThrow("unreadable");
  let closed = false;
  async function* endless() {
    try {
      for (;;) yield documentOf("a", "word ".repeat(5000));
    } finally {
      closed = true;
    }
  }
  for await (const _ of predictInSlices(toyModel(), endless())) break;
  expect(closed).toBe(true);
});
