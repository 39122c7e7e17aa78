import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { axisOf, broadcast, type Dim, evaluate, formatShape, minus, namesIn, plus, sizeOf, times } from "./dims.ts";

const sizes = new Map([
  ["batch", 3],
  ["time", 7],
  ["spans", 11],
]);
const plain = fc.oneof(fc.integer({ min: -4, max: 4 }), fc.constantFrom("batch", "time", "spans"));
const products = fc.array(plain, { minLength: 1, maxLength: 3 }).map((dims) => times(...dims));
const sums = fc.array(products, { minLength: 1, maxLength: 3 }).map((dims) => plus(...dims));
const size = (dim: Dim): number => evaluate(dim, sizes);

describe("dimensions", () => {
  it("are written in one way, so that equal ones are equal strings", () => {
    expect(times("time", "batch")).toBe("batch*time");
    expect(times("time", 2, "batch", 3)).toBe("6*batch*time");
    expect(plus("time", 2, "batch", "time", -3)).toBe("batch+2*time+-1");
    expect(minus(plus("time", 2), 2)).toBe("time");
    expect(minus(plus("batch", "time"), plus("time", "batch"))).toBe(0);
    expect(times(0, "batch")).toBe(0);
    expect(sizeOf([])).toBe(1);
    expect(sizeOf([2, 3, 4])).toBe(24);
  });

  it("add, subtract and multiply as the numbers they stand for", () => {
    fc.assert(
      fc.property(sums, sums, products, products, (a, b, c, d) => {
        expect(size(plus(a, b))).toBe(size(a) + size(b));
        expect(size(minus(a, b))).toBe(size(a) - size(b));
        expect(size(times(c, d)) + 0).toBe(size(c) * size(d) + 0);
      }),
    );
  });

  it("do not depend on the order of terms and factors", () => {
    fc.assert(
      fc.property(sums, sums, products, products, (a, b, c, d) => {
        expect(plus(a, b)).toBe(plus(b, a));
        expect(minus(plus(a, b), b)).toBe(plus(a));
        expect(times(c, d)).toBe(times(d, c));
      }),
    );
  });

  it("spread a product over a sum", () => {
    expect(times("batch", "time+1")).toBe("batch+batch*time");
    expect(times("time+1", "time+2")).toBe("3*time+time*time+2");
  });

  it("have a size only when their names have", () => {
    expect(() => evaluate("batch*words", sizes)).toThrow("dimensions: words is not bound by any input");
    expect(namesIn("2*batch*time+-1")).toEqual(["batch", "time"]);
    expect(namesIn(4)).toEqual([]);
  });
});

describe("shapes", () => {
  it("broadcast as NumPy's do, and named dimensions only to themselves and to 1", () => {
    expect(broadcast(["batch", 1, 3], ["time", 1])).toEqual(["batch", "time", 3]);
    expect(broadcast([], [2])).toEqual([2]);
    expect(broadcast([0, 3], [1, 3])).toEqual([0, 3]);
    expect(broadcast(["batch"], ["time"])).toBeUndefined();
    expect(broadcast(["batch"], [3])).toBeUndefined();
    expect(broadcast([2], [3])).toBeUndefined();
  });

  it("count axes from both ends", () => {
    expect([axisOf(0, 2), axisOf(-1, 2), axisOf(-2, 2)]).toEqual([0, 1, 0]);
    expect([axisOf(2, 2), axisOf(-3, 2), axisOf(0.5, 2), axisOf(0, 0)]).toEqual(new Array(4).fill(undefined));
    expect(formatShape(["batch", 3])).toBe("[batch, 3]");
  });
});
