import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { diagnose } from "../src/evaluation/index.ts";
import { conll } from "../src/formats/conll.ts";
import type { FileFormat } from "../src/formats/format.ts";
import { reducer } from "../src/formats/losses.ts";
import { writeStream } from "../src/formats/output.ts";
import { text as textFormat } from "../src/formats/text.ts";
import { type Document, makeSentence } from "../src/text/document.ts";
import { joinTokens } from "../src/text/join.ts";
import { InputError } from "../src/util/errors.ts";

/** With time that grows as the square of the size, each of these takes many minutes: the limit of a test is enough. */
describe("inputs of great size", () => {
  async function written(format: FileFormat, document: Document, options = {}): Promise<string> {
    const { reduced } = reducer(format, [document], "memory", { ...options, onLoss: "list" });
    let content = "";
    for await (const piece of format.write(reduced, options)) content += piece;
    return content;
  }

  const count = 300_000;
  const { text, offsets } = joinTokens([Array.from({ length: count }, (_, i) => `w${i % 50}`)]);
  const entities = Array.from({ length: count }, (_, i) => ({ start: i, end: i + 1, type: "A" }));
  const crowded: Document = {
    text,
    sentences: [makeSentence(text, offsets[0]!, { entities, complete: [{ start: 0, end: 9 }] })],
  };

  it("a sentence of very many entities is written as columns and diagnosed", async () => {
    expect((await written(conll, crowded, { silence: "negative" })).split("\n").length).toBe(count + 2);
    expect(diagnose([crowded], { shares: [0.5] }).counts).toMatchObject({ tokens: count, entities: count });
  });

  it("a line of nothing but carriage returns is written, and an error of nothing but spaces is told", async () => {
    const returns = "\r".repeat(1_000_000);
    expect(await written(textFormat, { text: `a${returns}b${returns}`, sentences: [] })).toBe(`a${returns}b\n`);
    expect(new InputError(" ".repeat(1_000_000)).message.length).toBeLessThan(3000);
  });
});

describe("text on a terminal", () => {
  const hostile = "Ana \u001b[2J\u001b]0;title\u0007 Lopes\n";
  const show = async (isTTY: boolean): Promise<string> => {
    const stream = Object.assign(new PassThrough(), { isTTY });
    await writeStream(
      stream,
      (async function* () {
        yield hostile;
      })(),
    );
    return String(stream.read());
  };

  it("cannot steer it, and is as it was in a file or a pipe", async () => {
    expect(await show(true)).toBe("Ana \\u001b[2J\\u001b]0;title\\u0007 Lopes\n");
    expect(await show(false)).toBe(hostile);
  });
});
