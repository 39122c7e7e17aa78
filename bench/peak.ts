import { input, matmul, Program } from "../src/tensor/index.ts";
import { gaussian, random } from "../src/util/random.ts";
import { bestSeconds } from "./harness.ts";

let measured: Promise<number> | undefined;

/** Floating-point operations per second of a 1024×768×3072 product through the runtime: measured once in a run. */
export function peakFlops(): Promise<number> {
  measured ??= measure();
  return measured;
}

async function measure(): Promise<number> {
  const [rows, inner, columns] = [1024, 768, 3072];
  const program = await Program.compile({
    c: matmul(input("a", "float32", [rows, inner]), input("b", "float32", [inner, columns])),
  });
  const feeds = { a: normalData([rows, inner]), b: normalData([inner, columns]) };
  const target = { c: { data: new Float32Array(rows * columns), shape: [rows, columns] } };
  const seconds = await bestSeconds(30, async () => {
    await program.run(feeds, target);
  });
  await program.dispose();
  return (2 * rows * inner * columns) / seconds;
}

export function normalData(shape: readonly number[]): { data: Float32Array; shape: readonly number[] } {
  const rng = random(1, "bench", ...shape);
  const size = shape.reduce((a, b) => a * b, 1);
  return { data: Float32Array.from({ length: size }, () => gaussian(rng)), shape };
}
