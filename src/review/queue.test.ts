import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Filter, type Item, kinds, type Status, statuses } from "./model.ts";
import { queue } from "./queue.ts";

const item = (kind: Item["kind"], type: string, text: string, given?: string): Item => ({
  ...{ kind, type, text, score: 0.5, document: "News-7", start: 0, end: text.length, reasons: [], group: text },
  given: given === undefined ? null : { start: 0, end: text.length, type: given },
});

const some = fc.record({
  kind: fc.constantFrom(...kinds),
  type: fc.constantFrom("PER", "LOC"),
  text: fc.constantFrom("Ana", "Porto", "北京", "ÀBC"),
});
const filters: fc.Arbitrary<Filter> = fc.record(
  {
    kind: fc.constantFrom(...kinds),
    type: fc.constantFrom("PER", "LOC"),
    status: fc.constantFrom(...statuses, "decided" as const),
    search: fc.constantFrom("", "an", "àb", "京", "zzz"),
  },
  { requiredKeys: [] },
);

const untouched = { status: (): Status => "open", sequence: 0 };

describe("the queue", () => {
  it("has what passes the filter, in the order of the audit, and steps through it", () => {
    const listed = fc.array(fc.tuple(some, fc.constantFrom(...statuses)), { maxLength: 30 });
    fc.assert(
      fc.property(listed, filters, fc.integer({ min: 0, max: 31 }), (list, filter, from) => {
        const items = list.map(([{ kind, type, text }]) => item(kind, type, text));
        const status = (number: number): Status => list[number - 1]![1];
        const made = queue(items, { status, sequence: 0 });
        const fits = (number: number, ignoreStatus: boolean): boolean => {
          const { kind, type, text } = items[number - 1]!;
          return (
            (filter.kind ?? kind) === kind &&
            (filter.type ?? type) === type &&
            text.toLowerCase().includes(filter.search ?? "") &&
            (ignoreStatus ||
              filter.status === undefined ||
              (filter.status === "decided" ? status(number) !== "open" : status(number) === filter.status))
          );
        };
        const numbers = items.map((_, i) => i + 1);
        const wanted = numbers.filter((number) => fits(number, false));
        expect(made.page(filter, 0, 100).rows.map((row) => row.item)).toEqual(wanted);
        expect(made.page(filter, 2, 3).rows.map((row) => row.item)).toEqual(wanted.slice(2, 5));
        expect(made.position(filter, from)).toBe(wanted.includes(from) ? wanted.indexOf(from) : undefined);
        expect(made.step(filter, from, 1, false)).toBe(wanted.find((number) => number > from));
        expect(made.step(filter, from, -1, false)).toBe(wanted.findLast((number) => number < from));
        const open = numbers.filter((number) => fits(number, true) && status(number) === "open" && number !== from);
        expect(made.step(filter, from, 1, true)).toBe(open.find((number) => number > from) ?? open[0]);
      }),
    );
  });

  it("filters by the type that stands there too, and finds documents", () => {
    const made = queue([item("type", "LOC", "Porto", "PER"), item("missing", "LOC", "Porto")], untouched);
    expect(made.page({ type: "PER" }, 0, 9).rows.map((row) => row.item)).toEqual([1]);
    expect(made.page({ search: "news-7" }, 0, 9).total).toBe(2);
  });

  it("cuts long surfaces between characters", () => {
    const made = queue([item("missing", "PER", `${"a".repeat(119)}😀b`)], untouched);
    expect(made.page({}, 0, 1).rows[0]!.text).toBe(`${"a".repeat(119)}…`);
  });

  it("lists by state what the last decision left", () => {
    const history = {
      status: (number: number): Status => (number <= history.sequence ? "accept" : "open"),
      sequence: 0,
    };
    const made = queue(
      ["Ana", "Porto", "Rui"].map((text) => item("missing", "PER", text)),
      history,
    );
    const open = (): number[] => made.page({ status: "open" }, 0, 9).rows.map((row) => row.item);
    expect(open()).toEqual([1, 2, 3]);
    history.sequence = 2;
    expect(open()).toEqual([3]);
    expect(made.position({ status: "decided" }, 2)).toBe(1);
  });
});
