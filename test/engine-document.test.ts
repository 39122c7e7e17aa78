import { readFileSync } from "node:fs";
import { transpileModule } from "typescript";
import { describe, expect, it } from "vitest";
import * as engine from "../src/engine.ts";
import * as graph from "../src/tensor/graph.ts";
import * as tensor from "../src/tensor/index.ts";
import * as arithmetic from "../src/tensor/ops/arithmetic.ts";
import { checkFunction, operand } from "./support/gradients.ts";

/** What the examples import, by the name they use. */
const modules: Readonly<Record<string, object>> = {
  "lacuna-ner/engine": engine,
  "../graph.ts": graph,
  "./arithmetic.ts": arithmetic,
};

/** The example of the document that has a name in it, run as a module. */
function example(name: string): Record<string, (...args: never[]) => unknown> {
  const text = readFileSync(new URL("../docs/engine.md", import.meta.url), "utf8");
  const block = [...text.matchAll(/^```ts\n(.*?)^```$/gms)]
    .map(([, code]) => code!)
    .find((code) => code.includes(name));
  if (!block) throw new Error(`docs/engine.md has no example with ${name}`);
  const { outputText } = transpileModule(block, { compilerOptions: { module: 1, target: 10 } });
  const exported = {};
  new Function("require", "exports", outputText)((path: string) => modules[path], exported);
  return exported;
}

describe("the examples of docs/engine.md", () => {
  it("fit the line that they say", async () => {
    const [slope, offset] = (await example("fitLine").fitLine!()) as number[];
    expect(slope).toBeCloseTo(2, 3);
    expect(offset).toBeCloseTo(1, 3);
  });

  it("add an op that passes the checks of all ops", async () => {
    const softplus = example("softplusOp").softplus as unknown as (x: tensor.Tensor) => tensor.Tensor;
    const wide = operand([2, 3], { shape: ["batch", 3], fill: (rng) => 40 * (rng.next() - 0.5) });
    for (const x of [wide, operand([1]), operand([0, 4])]) await checkFunction((y) => softplus(y!), [x]);
    const [zero] = tensor.runReference([softplus(tensor.scalar(0))], {});
    expect(zero!.data[0]).toBeCloseTo(Math.log(2), 12);
    expect(() => softplus(tensor.scalar(1, "int32"))).toThrow("softplus: operand must be float32, got int32 []");
  });
});
