import { expect, it } from "vitest";
import { inParallel } from "./parallel.ts";

it("works on so many items at a time and on all of them", async () => {
  let [now, most] = [0, 0];
  const done: number[] = [];
  await inParallel([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 2));
    now--;
    done.push(item);
  });
  expect(most).toBe(2);
  expect(done.sort()).toEqual([1, 2, 3, 4, 5]);
});

it("begins nothing new after an error, and throws it when the rest is over", async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = inParallel([1, 2, 3, 4], 2, async (item) => {
    begun.push(item);
    await new Promise((resolve) => setTimeout(resolve, 10 * item));
    if (item === 1) throw new Error("one");
    ended.push(item);
  });
  await expect(work).rejects.toThrow("one");
  expect(begun).toEqual([1, 2]);
  expect(ended).toEqual([2]);
});
