import { expect, it } from "vitest";
import { describeWorkers } from "./watch-workers.ts";

const worker = { name: "a", version: "1", slots: 2, busy: 1, documents: 10, rate: 700 };

it.each([
  [[], 0, "0 workers"],
  [[worker], 0, "700 documents/s, 1 worker"],
  [[worker, { ...worker, rate: 501 }], 3, "1,201 documents/s, 2 workers, 3 set aside"],
  [[{ ...worker, rate: 0, resting: "ENOSPC: no space left" }], 0, "1 worker, 1 resting (ENOSPC: no space left)"],
])("of the workers %o, with %i shards set aside, is said: %s", (workers, setAside, expected) => {
  expect(describeWorkers(workers, setAside)).toBe(expected);
});
