import { describe, expect, it } from "vitest";
import { gaussian, random } from "../../util/random.ts";
import { gather, gradients, input, Program, scatterAdd, sum } from "../index.ts";

describe("scatterAdd of many rows onto few, on all threads", () => {
  const [count, rows, width] = [20_000, 50, 64];
  const rng = random(1, "scatter");
  const updates = Float32Array.from({ length: count * width }, () => gaussian(rng));
  const ids = Int32Array.from({ length: count }, () => rng.below(rows));
  const feeds = { updates: { shape: [count, width], data: updates }, ids: { shape: [count], data: ids } };
  const [x, places] = [input("updates", "float32", ["count", width]), input("ids", "int32", ["count"])];

  it("loses nothing, and gives the same bits in every run", async () => {
    const program = await Program.compile({ sums: scatterAdd(x, places, rows) });
    const exact = new Float64Array(rows * width);
    updates.forEach((number, i) => {
      exact[ids[Math.floor(i / width)]! * width + (i % width)]! += number;
    });
    const first = (await program.run(feeds)).sums!.data as Float32Array;
    expect(Math.max(...first.map((number, i) => Math.abs(number - exact[i]!)))).toBeLessThan(1e-3);
    for (let run = 0; run < 5; run++) expect((await program.run(feeds)).sums!.data).toEqual(first);
    await program.dispose();
  });

  it("as the gradient of gather counts how often a row was read", async () => {
    const table = input("table", "float32", [rows]);
    const program = await Program.compile({ counts: gradients(sum(gather(table, places)), [table])[0]! });
    const { counts } = await program.run({ table: { shape: [rows], data: new Float32Array(rows) }, ids: feeds.ids });
    await program.dispose();
    const expected = new Array<number>(rows).fill(0);
    for (const id of ids) expected[id]!++;
    expect([...counts!.data]).toEqual(expected);
  });
});
