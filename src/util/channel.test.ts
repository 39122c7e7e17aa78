import { expect, it } from "vitest";
import { toldBy } from "./channel.ts";

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

it("gives everything that was told, in order, then the result", async () => {
  const generator = toldBy<number, string>(async (tell) => {
    tell(1);
    tell(2);
    await soon();
    tell(3);
    return "over";
  });
  const told: unknown[] = [];
  for (;;) {
    const { done, value } = await generator.next();
    told.push(value);
    if (done) break;
  }
  expect(told).toEqual([1, 2, 3, "over"]);
});

it("throws what the work throws, after what it told", async () => {
  const told: number[] = [];
  const listen = async (): Promise<void> => {
    for await (const each of toldBy<number, void>(async (tell) => {
      tell(1);
      await soon();
      throw new Error("broken");
    }))
      told.push(each);
  };
  await expect(listen()).rejects.toThrow("broken");
  expect(told).toEqual([1]);
});

it("waits for the work when nobody listens any more", async () => {
  let isOver = false;
  for await (const _ of toldBy<number, void>(async (tell) => {
    tell(1);
    await soon();
    isOver = true;
  }))
    break;
  expect(isOver).toBe(true);
});
