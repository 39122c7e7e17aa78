import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ToyCalls, toyModel } from "../inference/toy-tagging.suite.ts";
import { batcher } from "./local-tagger.ts";
import { type BatchRecord, type Tagged, TaggingFailed } from "./tagger.ts";

const never = new AbortController().signal;
const words = ({ entities }: Tagged): string[] => entities.map(({ text }) => text);

function started(options: { wait?: number; tokens?: number } = {}) {
  const calls: ToyCalls = { tokens: [], pieces: [] };
  const batches: BatchRecord[] = [];
  const { tag, idle, load } = batcher(toyModel(calls), { wait: 1, tokens: 100, ...options }, (each) =>
    batches.push(each),
  );
  const ask = (text: string, signal = never, minScore = 0) => tag({ text, decode: { minScore } }, signal);
  return { ask, idle, load, calls, batches };
}

describe("texts of different clients", () => {
  it("go through the model together, and each has its own answer", async () => {
    const { ask, calls, batches } = started();
    const answers = await Promise.all(["A1 left.", "Nobody.", "B2 met A3.", ""].map((text) => ask(text)));
    expect(answers.map(words)).toEqual([["A1"], [], ["B2", "A3"], []]);
    expect(answers.map(({ tokens }) => tokens)).toEqual([3, 2, 4, 0]);
    expect(calls.tokens).toEqual([9]);
    expect(batches).toEqual([{ texts: 4, tokens: 9, seconds: expect.any(Number) }]);
  });

  it("are decoded by the settings of their own request", async () => {
    const { ask } = started();
    expect((await Promise.all([ask("A1"), ask("A2", never, 0.9), ask("A3")])).map(words)).toEqual([["A1"], [], ["A3"]]);
  });

  it("are never mixed up, whatever comes when, however long, and whatever fails beside them", async () => {
    const text = fc
      .array(
        fc.oneof(
          { weight: 9, arbitrary: fc.constantFrom("w", "x.") },
          { weight: 3, arbitrary: fc.nat(99).map((n) => `A${n}`) },
        ),
        { maxLength: 400 },
      )
      .map((list) => list.join(" "));
    const client = fc.record({ text, pause: fc.nat(3), fails: fc.integer({ min: 0, max: 9 }).map((n) => n === 0) });
    await fc.assert(
      fc.asyncProperty(fc.array(client, { maxLength: 20 }), async (clients) => {
        const { ask, idle, load } = started({ wait: 0, tokens: 60 });
        const outcomes = await Promise.all(
          clients.map(async ({ text: sent, pause, fails }) => {
            for (let i = 0; i < pause; i++) await new Promise((resolve) => setImmediate(resolve));
            return ask(fails ? `${sent} poison` : sent).then(words, (error: unknown) => error);
          }),
        );
        outcomes.forEach((outcome, i) => {
          if (clients[i]!.fails) expect(outcome).toBeInstanceOf(TaggingFailed);
          else expect(outcome).toEqual(clients[i]!.text.match(/A\d+/g) ?? []);
        });
        await idle();
        expect(load()).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a batch", () => {
  it("starts before its time when it is full", async () => {
    const { ask } = started({ wait: 60_000, tokens: 6 });
    expect((await Promise.all([ask("A1 w w"), ask("B1 w w")])).map(words)).toEqual([["A1"], ["B1"]]);
  });

  it("has room for short texts beside a long document, which has a share of each", async () => {
    const { ask, calls } = started({ tokens: 1024 });
    let isFinished = false;
    const long = ask("A1 came here. ".repeat(3000)).then((tagged) => {
      isFinished = true;
      return tagged;
    });
    for (let i = 0; i < 5; i++) {
      expect(words(await ask(`B${i} left.`))).toEqual([`B${i}`]);
      expect(isFinished).toBe(false);
    }
    expect((await long).entities.length).toBe(3000);
    expect(calls.tokens.length).toBeGreaterThan(10);
  });
});

describe("a text", () => {
  it("that nobody waits for any more is given up, before its turn and between two of them", async () => {
    const { ask, calls } = started({ tokens: 300 });
    const [early, late] = [new AbortController(), new AbortController()];
    const given = Promise.allSettled([ask("A1 waits.", early.signal), ask("B1 came here. ".repeat(2000), late.signal)]);
    early.abort(new Error("gone"));
    await ask("A2");
    late.abort(new Error("gone too"));
    expect((await given).map((each) => each.status === "rejected" && each.reason.message)).toEqual([
      "gone",
      "gone too",
    ]);
    expect(calls.pieces.flat()).not.toContain("A1 waits .");
    expect(calls.tokens.reduce((sum, each) => sum + each, 0)).toBeLessThan(2000);
    expect(words(await ask("A3"))).toEqual(["A3"]);
  });

  it("that everybody gave up does not wait for company any longer", async () => {
    const { ask, idle, calls } = started({ wait: 600_000 });
    const [first, second] = [new AbortController(), new AbortController()];
    const outcomes = Promise.allSettled([ask("A1", first.signal), ask("A2", second.signal)]);
    first.abort();
    second.abort();
    expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await idle();
    expect(calls.tokens).toEqual([]);
  });

  it("that the model cannot take fails without its words, and those beside it are answered", async () => {
    const { ask } = started();
    const outcomes = await Promise.allSettled([ask("A1"), ask("poison here"), ask("B2")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect((outcomes[1] as PromiseRejectedResult).reason.message).toBe("the model cannot tag this text");
  });
});
