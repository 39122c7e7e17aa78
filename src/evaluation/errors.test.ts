import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorsOf } from "./errors.ts";
import { anyPair, entities, pair, placed, sentence } from "./examples.suite.ts";

/** `missed A 0 1` or `wrong-type A 0 1 > B 0 1`. */
function listed(gold: string, predicted: string): string[] {
  return errorsOf(placed(pair(gold, predicted))).map((error) =>
    [error.kind, ...[error.gold, error.predicted].flatMap((m) => (m ? [`${m.type} ${m.start} ${m.end}`] : []))].join(
      " | ",
    ),
  );
}

describe("the kinds of error", () => {
  it("are missed, spurious, wrong type and wrong boundary, in the order of the sentence", () => {
    expect(listed("A 0 1, A 1 2, B 3 5, C 6 7", "B 1 2, B 3 6, A 7 8, C 6 7")).toEqual([
      "missed | A 0 1",
      "wrong-type | A 1 2 | B 1 2",
      "wrong-boundary | B 3 5 | B 3 6",
      "spurious | A 7 8",
    ]);
  });

  it("leave out what is right", () => {
    expect(listed("A 0 2, B 0 2", "B 0 2, A 0 2")).toEqual([]);
  });

  it("call an overlap with another type missed and spurious", () => {
    expect(listed("A 0 2", "B 0 3")).toEqual(["missed | A 0 2", "spurious | B 0 3"]);
  });

  it("give a boundary to the prediction that shares most tokens with it", () => {
    expect(listed("A 0 5", "A 0 1, A 1 5")).toEqual(["wrong-boundary | A 0 5 | A 1 5", "spurious | A 0 1"]);
  });

  it("do not blame a prediction of which incomplete gold says nothing", () => {
    const words = ["a", "b", "c", "d"];
    const gold = sentence(words, { entities: entities("A 0 2"), rejected: [{ start: 2, end: 3 }] });
    const predicted = sentence(words, { entities: entities("B 1 2, A 2 3, A 3 4") });
    const kinds = errorsOf(placed({ gold, predicted })).map((error) => [
      error.kind,
      (error.gold ?? error.predicted)!.start,
    ]);
    expect(kinds).toEqual([
      ["missed", 0],
      ["spurious", 1],
      ["spurious", 2],
      ["undecided", 3],
    ]);
    const nested = errorsOf(placed({ gold, predicted }), { nested: true }).map((error) => error.kind);
    expect(nested).toEqual(["missed", "undecided", "spurious", "undecided"]);
  });

  it("prefer the equal span with another type to an overlap with the same type", () => {
    expect(listed("A 0 2", "B 0 2, A 0 3")).toEqual(["wrong-type | A 0 2 | B 0 2", "spurious | A 0 3"]);
  });
});

it("says where the error stands and what the text is", () => {
  const words = ["In", "😀", "New", "York"];
  const errors = errorsOf({
    gold: sentence(words, { entities: entities("LOC 2 4") }),
    predicted: sentence(words, { entities: entities("LOC 3 4") }),
    document: 3,
    sentence: 7,
    id: "d3",
  });
  expect(errors).toEqual([
    {
      kind: "wrong-boundary",
      document: 3,
      sentence: 7,
      id: "d3",
      gold: { type: "LOC", start: 2, end: 4, characters: [6, 14], surface: "New York" },
      predicted: { type: "LOC", start: 3, end: 4, characters: [10, 14], surface: "York" },
    },
  ]);
});

it("lists every wrong entity of either side exactly once and no right one", () => {
  fc.assert(
    fc.property(anyPair, (each) => {
      const key = ({ type, start, end }: { type: string; start: number; end: number }): string =>
        `${type} ${start} ${end}`;
      const gold = each.gold.entities.map(key);
      const predicted = each.predicted.entities.map(key);
      const errors = errorsOf(placed(each));
      const inErrors = (side: "gold" | "predicted"): string[] =>
        errors.flatMap((error) => (error[side] ? [key(error[side])] : []));
      expect(inErrors("gold").sort()).toEqual(gold.filter((k) => !predicted.includes(k)).sort());
      expect(inErrors("predicted").sort()).toEqual(predicted.filter((k) => !gold.includes(k)).sort());
    }),
  );
});
