/** One measured figure. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

export interface Report {
  /** True when the user asked for a figure of this name, so that the work for others can be saved. */
  wants(name: string): boolean;
  figure(name: string, value: number, unit: string): void;
  /** A word on what is going on, for people. */
  progress(message: string): void;
}

/** A group of figures. Its file stands in `bench/` and is listed in `main.ts`; names of figures begin with the prefix and a dot. */
export interface Bench {
  readonly prefix: string;
  run(report: Report): Promise<void>;
}

/** Runs the benches that have wanted figures. A name asks for the figure of this name and for all under it: `formats` for `formats.conll`. */
export async function runBenches(
  benches: readonly Bench[],
  names: readonly string[],
  output: { figure(figure: Figure): void; progress(message: string): void },
): Promise<number> {
  let count = 0;
  const wants = (name: string): boolean => names.length === 0 || names.some((asked) => isUnder(name, asked));
  const report: Report = {
    wants,
    progress: output.progress,
    figure(name, value, unit) {
      if (!wants(name)) return;
      count++;
      output.figure({ name, value, unit });
    },
  };
  for (const bench of benches) {
    const concerned = wants(bench.prefix) || names.some((asked) => isUnder(asked, bench.prefix));
    if (concerned) await bench.run(report);
  }
  return count;
}

function isUnder(name: string, group: string): boolean {
  return name === group || name.startsWith(`${group}.`);
}

/** The shortest of some times in seconds, after a run that does not count: what else the machine does can only add to it. */
export async function bestSeconds(runs: number, work: () => Promise<void> | void): Promise<number> {
  await work();
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    await work();
    best = Math.min(best, (performance.now() - start) / 1000);
  }
  return best;
}

/** Bytes of memory that are in use after the collector ran (`node --expose-gc`). */
export function usedMemory(): number {
  if (globalThis.gc === undefined) throw new Error("memory can be measured with node --expose-gc only");
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
