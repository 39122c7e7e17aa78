import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collect, memorySource } from "./documents.suite.ts";
import { firstKeys, jsonValues } from "./json.ts";

const valuesOf = (content: string, chunkSize?: number) => collect(jsonValues(memorySource(content, chunkSize)));

describe("JSON values", () => {
  const records = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }), { maxLength: 4 });
  const layouts = fc.constantFrom<(list: unknown[]) => string>(
    (list) => list.map((item) => `${JSON.stringify(item)}\n`).join(""),
    (list) => JSON.stringify(list),
    (list) => JSON.stringify(list, null, 2),
    (list) => `\ufeff[\r\n${list.map((item) => JSON.stringify(item)).join(",\r\n")}\r\n]\r\n`,
  );

  it("are the records of lines or of a list, however the bytes are cut", async () => {
    await fc.assert(
      fc.asyncProperty(records, layouts, fc.integer({ min: 1, max: 20 }), async (list, layout, chunkSize) => {
        const found = await valuesOf(layout(list), chunkSize);
        expect(found.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify(list)));
      }),
    );
  });

  it("come with the line they begin on", async () => {
    expect((await valuesOf('\n{"a":1}\n\n{"b":\n 2}\n')).map(({ line }) => line)).toEqual([2, 4]);
    expect((await valuesOf("[\n{},\n\n{}]")).map(({ line }) => line)).toEqual([2, 4]);
  });

  it("may be pairs that begin with a string", async () => {
    expect((await valuesOf('["a", {}]\n[ "b", {}]', 1)).map(({ value }) => value)).toEqual([
      ["a", {}],
      ["b", {}],
    ]);
  });
});

describe("the keys of the first record", () => {
  it.each([
    ['{"text": "a", "meta": {"id": 1}, "spans": []}\n{"other": 1}', ["text", "meta", "spans"]],
    ['[{"tokens": ["a", "b"], "entities": []}, {}]', ["tokens", "entities"]],
    ['["text", {"entities": []}]', ["entities"]],
    ['{"text": "\\"label\\": ", "la', ["text"]],
    ["[]", []],
  ])("of %s", (head, keys) => {
    expect([...firstKeys(head)!]).toEqual(keys);
  });

  it("are none for what is no JSON", () => {
    expect(firstKeys("EU B-ORG\n")).toBeUndefined();
  });
});
