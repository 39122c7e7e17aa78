import { describe, expect, it } from "vitest";
import { admission } from "./admission.ts";
import { Refusal } from "./refusal.ts";

describe("the bounded queue", () => {
  const statusOf = (work: () => void): number => {
    try {
      work();
      return 200;
    } catch (error) {
      return (error as Refusal).status;
    }
  };

  it("takes what has room, refuses the rest whole, and has room again when someone leaves", () => {
    const refused: string[] = [];
    const queue = admission({ texts: 5, bytes: 100 }, (reason) => refused.push(reason));
    const [first, second] = [queue.enter(), queue.enter()];
    first.addTexts(3);
    expect(statusOf(() => second.addTexts(3))).toBe(429);
    expect(queue.texts).toBe(3);
    second.addTexts(2);
    expect(queue.texts).toBe(5);
    first.leave();
    first.leave();
    expect(queue.texts).toBe(2);
    second.addTexts(3);
    expect(refused).toEqual(["queue"]);
  });

  it("bounds the bytes that are being read by all clients together", () => {
    const refused: string[] = [];
    const queue = admission({ texts: 5, bytes: 100 }, (reason) => refused.push(reason));
    const [first, second] = [queue.enter(), queue.enter()];
    first.addBytes(60);
    expect(statusOf(() => second.addBytes(41))).toBe(429);
    second.addBytes(40);
    expect([queue.bytes, refused]).toEqual([100, ["memory"]]);
    first.leave();
    second.leave();
    expect([queue.texts, queue.bytes]).toEqual([0, 0]);
  });

  it("says of a list that can never have room that it is too long, and not to come again", () => {
    const queue = admission({ texts: 5, bytes: 100 }, () => {});
    expect(statusOf(() => queue.enter().addTexts(6))).toBe(413);
    try {
      queue.enter().addTexts(5);
      queue.enter().addTexts(1);
    } catch (error) {
      expect((error as Refusal).headers).toEqual({ "Retry-After": "1" });
      expect(error).toBeInstanceOf(Refusal);
    }
    expect.assertions(3);
  });
});
