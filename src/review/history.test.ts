import { describe, expect, it } from "vitest";
import { history } from "./history.ts";
import type { Entry } from "./model.ts";

const time = "2026-01-01T00:00:00.000Z";

function filled(...entries: readonly (Partial<Entry> & { readonly client: string })[]) {
  const made = history(9);
  for (const [i, entry] of entries.entries()) made.add({ sequence: i + 1, time, ...entry } as Entry);
  return made;
}

const accept = (client: string, ...items: number[]) => ({ client, verdict: "accept", items }) as const;
const reject = (client: string, ...items: number[]) => ({ client, verdict: "reject", items }) as const;

describe("the history of a review", () => {
  it("knows what stands, and which entry touched an item last", () => {
    const made = filled(accept("a", 1, 2), reject("a", 2), { client: "a", undo: 2 });
    expect([1, 2, 3].map(made.status)).toEqual(["accept", "accept", "open"]);
    expect([1, 2, 3].map(made.version)).toEqual([1, 3, 0]);
    expect(made.sequence).toBe(3);
    expect(made.redoable("a")?.sequence).toBe(2);
  });

  it("lets each tab take back its own decisions only", () => {
    const made = filled(accept("a", 1), reject("b", 2));
    expect(made.undoable("a")?.items).toEqual([1]);
    expect(made.undoable("b")?.items).toEqual([2]);
    expect(made.undoable("c")).toBeUndefined();
    expect(() => made.add({ sequence: 3, time, client: "a", undo: 2 })).toThrow("decision 2 is not the one");
  });

  it("does not let a redone decision replace a later one of another tab", () => {
    const made = filled(accept("a", 1), { client: "a", undo: 1 }, reject("b", 1), { client: "a", redo: 1 });
    expect(made.status(1)).toBe("reject");
  });

  it("forgets what could be redone when something new is decided", () => {
    const made = filled(accept("a", 1), { client: "a", undo: 1 }, accept("a", 2));
    expect(made.redoable("a")).toBeUndefined();
    expect(made.status(1)).toBe("open");
  });

  it("refuses entries out of order, and suspicions that do not exist", () => {
    const made = filled(accept("a", 1));
    expect(() => made.add({ sequence: 3, time, client: "a", undo: 1 })).toThrow(
      "expected the sequence number 2, got 3",
    );
    expect(() => made.add({ sequence: 2, time, ...accept("a", 10) })).toThrow("there is no suspicion 10");
    expect(made.sequence).toBe(1);
  });

  it("opens an item again whatever was decided before", () => {
    const made = filled(accept("a", 1), { client: "a", verdict: "open", items: [1] });
    expect(made.status(1)).toBe("open");
    expect(made.standing(1)).toBeUndefined();
  });
});
