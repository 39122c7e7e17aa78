import { describe, expect, it } from "vitest";
import { operand } from "../../test/support/gradients.ts";
import { checkLayer, floats, runLayer } from "../../test/support/layers.ts";
import { angles, simplexVertices } from "./index.ts";

function rowsOf(count: number): number[][] {
  const all = simplexVertices(count);
  return Array.from({ length: count }, (_, row) => [...all.subarray(row * (count - 1), (row + 1) * (count - 1))]);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((total, each, i) => total + each * b[i]!, 0);
}

describe("the corners of a simplex", () => {
  it.each(Array.from({ length: 39 }, (_, i) => i + 2))("of %d: sum 0, length 1, equal angles, full rank", (count) => {
    const rows = rowsOf(count);
    for (let column = 0; column < count - 1; column++) {
      expect(Math.abs(rows.reduce((total, row) => total + row[column]!, 0))).toBeLessThan(1e-13);
    }
    rows.forEach((row, i) => {
      rows.forEach((other, j) => {
        expect(Math.abs(dot(row, other) - (i === j ? 1 : -1 / (count - 1)))).toBeLessThan(1e-13);
      });
    });
    // WᵀW is k/(k−1) times the identity, so that no direction of the outputs is lost.
    const columns = Array.from({ length: count - 1 }, (_, c) => rows.map((row) => row[c]!));
    columns.forEach((column, i) => {
      columns.forEach((other, j) => {
        expect(Math.abs(dot(column, other) - (i === j ? count / (count - 1) : 0))).toBeLessThan(1e-13);
      });
    });
  });

  it("of two are +1 and −1, of three a triangle", () => {
    expect(rowsOf(2).map(([x]) => Math.round(x! * 1e12) / 1e12)).toEqual([1, -1]);
    const expected = [
      [Math.SQRT1_2, Math.SQRT1_2],
      [0.2588190451, -0.9659258263],
      [-0.9659258263, 0.2588190451],
    ];
    rowsOf(3).forEach((row, i) => {
      row.forEach((each, j) => {
        expect(each).toBeCloseTo(expected[i]![j]!, 9);
      });
    });
  });

  it.each([1, 0, 2.5])("of %d are refused", (count) => {
    expect(() => simplexVertices(count)).toThrow(`simplex: needs a whole number of at least 2 corners, got ${count}`);
  });
});

describe("angles", () => {
  it("are centred logits: they sum to 0, and every vector of sum 0 is reached by (k−1)/k · Wᵀ of it", async () => {
    const x = floats(
      [2, 3, 4],
      Array.from({ length: 24 }, (_, i) => Math.sin(i * i)),
    );
    const [scores] = await runLayer((params, input) => angles(params, "head", input, 5), [x]);
    expect(scores!.shape).toEqual([2, 3, 5]);
    for (let item = 0; item < 6; item++) {
      const row = [...scores!.data.slice(item * 5, item * 5 + 5)];
      expect(Math.abs(row.reduce((a, b) => a + b))).toBeLessThan(1e-5);
      expect(Math.max(...row.map(Math.abs))).toBeGreaterThan(1e-3);
    }
    const rows = rowsOf(5);
    const centred = [3, -1, -1, 2, -3];
    const outputs = rows[0]!.map((_, c) => (4 / 5) * rows.reduce((total, row, j) => total + row[c]! * centred[j]!, 0));
    rows.forEach((row, j) => {
      expect(dot(row, outputs)).toBeCloseTo(centred[j]!, 12);
    });
  });

  it("have the gradient of differences", () =>
    checkLayer((params, x) => angles(params, "head", x, 4), [operand([2, 3, 5])]));
});
