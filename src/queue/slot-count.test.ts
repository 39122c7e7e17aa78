import { expect, it } from "vitest";
import { slotCount } from "./slot-count.ts";
import { workerTally } from "./tally.ts";

const gigabyte = 2 ** 30;

it.each([
  [{ cores: 8, threads: 1, memory: 64 * gigabyte, peak: 0 }, 8],
  [{ cores: 8, threads: 3, memory: 64 * gigabyte, peak: 0 }, 2],
  [{ cores: 8, threads: 1, memory: 2 * gigabyte, peak: 0 }, 4],
  [{ cores: 8, threads: 1, memory: 5 * gigabyte, peak: 2 * gigabyte }, 2],
  [{ cores: 8, threads: 16, memory: gigabyte / 4, peak: gigabyte }, 1],
])("%o does %i jobs at a time", (machine, expected) => {
  expect(slotCount(machine)).toBe(expected);
});

it("a worker counts documents while they go through, jobs when they end, and the largest process", () => {
  let time = 1000;
  const tally = workerTally(() => time);
  const [first, second] = [tally.begin("shard"), tally.begin("shard")];
  first.see({ documents: 40 });
  first.see({ kind: "evaluation" });
  first.see({ documents: 100 });
  time = 3000;
  expect(tally.now()).toEqual({ busy: 2, documents: 100, rate: 50 });
  first.end("done", 700);
  second.end("failed");
  time = 4000;
  expect(tally.now()).toEqual({ busy: 0, documents: 100, rate: 0 });
  expect(tally.all()).toEqual({
    jobs: [
      { kind: "shard", ending: "done", count: 1 },
      { kind: "shard", ending: "failed", count: 1 },
    ],
    documents: 100,
    busy: 0,
    seconds: 4,
    peak: 700,
  });
});
