import { describe, expect, it } from "vitest";
import { random } from "../util/random.ts";
import * as nn from "./index.ts";

describe("Parameters", () => {
  it("give one tensor for one name, and refuse another shape for it", () => {
    const params = new nn.Parameters();
    const weight = params.declare("w", [2, 3], nn.one);
    expect(params.declare("w", [2, 3], nn.zero)).toBe(weight);
    expect(() => params.declare("w", [3, 2], nn.one)).toThrow('parameters: "w" was declared as [2, 3], now as [3, 2]');
    expect(params.tensors()).toEqual([weight]);
  });

  it("spare vectors from weight decay unless they are told otherwise", () => {
    const params = new nn.Parameters();
    nn.linear(params, "l", params.declare("x", [1, 2], nn.zero, { decay: false }), 3);
    const decayed = params.specs.filter(({ decay }) => decay).map(({ name }) => name);
    expect(decayed).toEqual(["l.weight"]);
  });
});

describe("ParameterStore", () => {
  const declared = (...names: readonly string[]): nn.ParameterStore => {
    const params = new nn.Parameters();
    for (const name of names) params.declare(name, [2, 2], nn.normal(1));
    return new nn.ParameterStore(params.specs);
  };

  it("holds all parameters in one array, each under its name", () => {
    const store = declared("a", "b");
    store.get("b").fill(3);
    expect([...store.data]).toEqual([0, 0, 0, 0, 3, 3, 3, 3]);
    expect(store.tensors("d:")["d:b"]).toEqual({ data: Float32Array.of(3, 3, 3, 3), shape: [2, 2] });
    expect([...store.like().data]).toEqual(new Array(8).fill(0));
  });

  it("initialises each from its own key: another parameter or another order changes nothing", () => {
    const [one, two] = [declared("a", "b").initialise(5), declared("c", "b", "a").initialise(5)];
    expect(two.get("a")).toEqual(one.get("a"));
    expect(two.get("b")).toEqual(one.get("b"));
    expect(two.get("c")).not.toEqual(one.get("a"));
    expect(declared("a").initialise(6).get("a")).not.toEqual(one.get("a"));
  });

  it("names what it lacks", () => {
    expect(() => declared("a").get("b")).toThrow('parameters: no parameter "b"');
    expect(() => new nn.ParameterStore(declared("a").slots, new Float32Array(3))).toThrow(
      "parameters: need 4 numbers, got 3",
    );
  });
});

describe("initialisers", () => {
  const fill = (initialise: nn.Initialiser, shape: readonly number[]): Float32Array => {
    const target = new Float32Array(shape.reduce((a, b) => a * b, 1));
    initialise(target, shape, random(1, "initialise"));
    return target;
  };

  it("normal has the deviation that was asked for", () => {
    const drawn = fill(nn.normal(0.02), [100, 100]);
    const variance = drawn.reduce((sum, x) => sum + x * x, 0) / drawn.length;
    expect(Math.sqrt(variance)).toBeGreaterThan(0.0194);
    expect(Math.sqrt(variance)).toBeLessThan(0.0206);
  });

  it("glorot reaches up to √(6 / (in + out)) and has its variance 2 / (in + out)", () => {
    const drawn = fill(nn.glorot, [60, 40]);
    const limit = Math.sqrt(6 / 100);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(Math.fround(limit));
    expect(Math.max(...drawn)).toBeGreaterThan(0.98 * limit);
    expect(Math.min(...drawn)).toBeLessThan(-0.98 * limit);
    const variance = drawn.reduce((sum, x) => sum + x * x, 0) / drawn.length;
    expect(Math.abs(variance - 2 / 100)).toBeLessThan(0.002);
  });

  it("from takes numbers as they are, and their count must fit", () => {
    expect([...fill(nn.from([1, 2]), [2])]).toEqual([1, 2]);
    expect(() => fill(nn.from([1, 2, 3]), [2])).toThrow("initialise: need 2 numbers, got 3");
  });
});
