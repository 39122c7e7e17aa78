import { expect, it } from "vitest";
import { inStep } from "./in-step.ts";

async function* numbers(log: string[] = []): AsyncGenerator<number> {
  try {
    for (let value = 0; value < 4; value++) {
      log.push(`fetch ${value}`);
      yield value;
    }
  } finally {
    log.push("closed");
  }
}

async function collect(items: AsyncIterable<number>): Promise<number[]> {
  const result: number[] = [];
  for await (const item of items) result.push(item);
  return result;
}

it("gives every consumer every item and their results in order", async () => {
  const sum = async (items: AsyncIterable<number>): Promise<number[]> => [
    (await collect(items)).reduce((total, item) => total + item, 0),
  ];
  expect(await inStep(numbers(), [collect, sum])).toEqual([[0, 1, 2, 3], [6]]);
});

it("fetches an item only when all have taken the one before, whatever their speed", async () => {
  const log: string[] = [];
  const slow = async (items: AsyncIterable<number>): Promise<void> => {
    for await (const item of items) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      log.push(`slow ${item}`);
    }
  };
  const quick = async (items: AsyncIterable<number>): Promise<void> => {
    for await (const item of items) log.push(`quick ${item}`);
  };
  await inStep(numbers(log), [slow, quick]);
  expect(log.slice(0, 6)).toEqual(["fetch 0", "quick 0", "slow 0", "fetch 1", "quick 1", "slow 1"]);
  expect(log.at(-1)).toBe("closed");
});

it("fails all when one fails, before any of them reaches the end", async () => {
  const log: string[] = [];
  const finished: string[] = [];
  const failing = async (items: AsyncIterable<number>): Promise<void> => {
    for await (const item of items) if (item === 1) throw new Error("disk full");
  };
  const other = async (items: AsyncIterable<number>): Promise<void> => {
    await collect(items);
    finished.push("other");
  };
  await expect(inStep(numbers(log), [other, failing])).rejects.toThrow("disk full");
  await expect(inStep(numbers(log), [failing, other])).rejects.toThrow("disk full");
  expect(finished).toEqual([]);
  expect(log.filter((entry) => entry === "closed")).toHaveLength(2);
});

it("fails all when one fails before it asks for anything", async () => {
  await expect(inStep(numbers(), [collect, () => Promise.reject(new Error("permission denied"))])).rejects.toThrow(
    "permission denied",
  );
});

it("passes on the error of the source", async () => {
  const source = (async function* (): AsyncGenerator<number> {
    yield 1;
    throw new Error("bad line");
  })();
  await expect(inStep(source, [collect, collect])).rejects.toThrow("bad line");
});

it("lets a consumer stop early", async () => {
  const first = async (items: AsyncIterable<number>): Promise<number[]> => {
    for await (const item of items) return [item];
    return [];
  };
  expect(await inStep(numbers(), [first, collect])).toEqual([[0], [0, 1, 2, 3]]);
});
