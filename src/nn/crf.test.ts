import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkFunction, operand } from "../../test/support/gradients.ts";
import { admitted, listedLogPartition, type SmallChain, scoreOf, smallChain } from "../../test/support/sequences.ts";
import * as t from "../tensor/index.ts";
import { random } from "../util/random.ts";
import * as nn from "./index.ts";

const shapes = fc.record({
  tags: fc.integer({ min: 1, max: 4 }),
  lengths: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
  seed: fc.nat(),
});

/** A batch of sentences that share a chain, padded with numbers that would be noticed, and tags and allowed sets for them. */
function batchOf({ tags, lengths, seed }: { tags: number; lengths: readonly number[]; seed: number }) {
  const rng = random(seed, "crf");
  const time = Math.max(...lengths);
  const shared = smallChain(tags, time, rng);
  const chains: SmallChain[] = lengths.map((length) => ({
    ...shared,
    length,
    emissions: smallChain(tags, length, rng).emissions,
  }));
  const paths = lengths.map((length) => Array.from({ length }, () => rng.below(tags)));
  const allowed = paths.map((path) =>
    path.map((tag) => Array.from({ length: tags }, (_, i) => i === tag || rng.below(2) === 1)),
  );
  const kept = paths.map((path) => path.map(() => rng.below(3) > 0));
  const padded = <T>(rows: readonly (readonly T[])[], width: number, filler: T): T[] =>
    rows.flatMap((row) => [...row, ...new Array<T>(time * width - row.length).fill(filler)]);
  const batch = lengths.length;
  const floats = (shape: readonly number[], data: readonly number[]) => t.value(shape, data);
  const feeds = {
    transitions: floats([tags, tags], shared.transitions),
    start: floats([tags], shared.start),
    end: floats([tags], shared.end),
    emissions: floats(
      [batch, time, tags],
      padded(
        chains.map((chain) => chain.emissions),
        tags,
        77,
      ),
    ),
    mask: floats(
      [batch, time],
      padded(
        paths.map((path) => path.map(() => 1)),
        1,
        0,
      ),
    ),
    tags: floats([batch, time], padded(paths, 1, tags - 1)),
    allowed: floats(
      [batch, time, tags],
      padded(
        allowed.map((sets) => sets.flat().map(Number)),
        tags,
        1,
      ),
    ),
    kept: floats(
      [batch, time],
      padded(
        kept.map((row) => row.map(Number)),
        1,
        0,
      ),
    ),
  };
  return { tags, time, chains, paths, allowed, kept, feeds };
}

function symbols(tags: number) {
  const positions = ["batch", "time"] as const;
  return {
    chain: {
      transitions: t.input("transitions", "float32", [tags, tags]),
      start: t.input("start", "float32", [tags]),
      end: t.input("end", "float32", [tags]),
    },
    emissions: t.input("emissions", "float32", [...positions, tags]),
    mask: t.input("mask", "float32", positions),
    tags: t.input("tags", "int32", positions),
    allowed: t.input("allowed", "float32", [...positions, tags]),
    kept: t.input("kept", "float32", positions),
  };
}

/** One number for each sentence, by the engine in float64 and by listing every sequence. */
function expectEqual(
  setting: { tags: number; lengths: readonly number[]; seed: number },
  build: (given: ReturnType<typeof symbols>) => t.Tensor,
  expected: (sentence: number, batch: ReturnType<typeof batchOf>) => readonly number[],
): void {
  const batch = batchOf(setting);
  const [found] = t.runReference([build(symbols(setting.tags))], batch.feeds);
  const listed = setting.lengths.flatMap((_, sentence) => expected(sentence, batch));
  expect(found!.data.length).toBe(listed.length);
  listed.forEach((number, i) => {
    expect(found!.data[i]).toBeCloseTo(number, 9);
  });
}

describe("a chain equals the list of all its sequences", () => {
  it("in log-partition", () => {
    fc.assert(
      fc.property(shapes, (setting) => {
        expectEqual(
          setting,
          ({ chain, emissions, mask }) => nn.logPartition(chain, emissions, mask),
          (sentence, { chains }) => [listedLogPartition(chains[sentence]!)],
        );
      }),
      { numRuns: 40 },
    );
  });

  it("in log-likelihood", () => {
    fc.assert(
      fc.property(shapes, (setting) => {
        expectEqual(
          setting,
          ({ chain, emissions, mask, tags }) => nn.logLikelihood(chain, emissions, mask, tags),
          (sentence, { chains, paths }) => [
            scoreOf(chains[sentence]!, paths[sentence]!) - listedLogPartition(chains[sentence]!),
          ],
        );
      }),
      { numRuns: 40 },
    );
  });

  it("in constrained log-likelihood", () => {
    fc.assert(
      fc.property(shapes, (setting) => {
        expectEqual(
          setting,
          ({ chain, emissions, mask, allowed }) => nn.constrainedLogLikelihood(chain, emissions, mask, allowed),
          (sentence, { chains, allowed }) => [
            listedLogPartition(chains[sentence]!, admitted(allowed[sentence]!)) - listedLogPartition(chains[sentence]!),
          ],
        );
      }),
      { numRuns: 40 },
    );
  });

  it.each([false, true])("in marginals, within allowed sets: %s", (within) => {
    fc.assert(
      fc.property(shapes, (setting) => {
        expectEqual(
          setting,
          ({ chain, emissions, mask, allowed }) => nn.marginals(chain, emissions, mask, within ? { allowed } : {}),
          (sentence, { chains, allowed, time, tags }) => {
            const chain = chains[sentence]!;
            const admits = within ? admitted(allowed[sentence]!) : () => true;
            const total = listedLogPartition(chain, admits);
            return Array.from({ length: time * tags }, (_, i) => {
              const [token, tag] = [Math.floor(i / tags), i % tags];
              if (token >= chain.length) return 0;
              return Math.exp(listedLogPartition(chain, (path) => admits(path) && path[token] === tag) - total);
            });
          },
        );
      }),
      { numRuns: 25 },
    );
  });
});

/** Which terms of a score are left when tokens are removed, written from the table of the method and not from the code. */
const kinds = {
  literal: (kept: readonly boolean[]) => ({
    emission: (i: number) => kept[i]!,
    entry: (i: number) => kept[i]!,
    end: true,
  }),
  emission: (kept: readonly boolean[]) => ({ emission: (i: number) => kept[i]!, entry: () => true, end: true }),
  break: (kept: readonly boolean[]) => ({
    emission: (i: number) => kept[i]!,
    entry: (i: number) => kept[i]! && (i === 0 || kept[i - 1]!),
    end: kept.at(-1)!,
  }),
};

describe("a chain with removed tokens equals the list of all its sequences", () => {
  it.each(["literal", "emission", "break"] as const)("%s", (mode) => {
    fc.assert(
      fc.property(shapes, (setting) => {
        expectEqual(
          setting,
          ({ chain, emissions, mask, tags, kept }) => nn.removalLogLikelihood(mode, chain, emissions, mask, tags, kept),
          (sentence, { chains, paths, kept }) => {
            const chain = chains[sentence]!;
            const left = kinds[mode](kept[sentence]!);
            return [scoreOf(chain, paths[sentence]!, left) - listedLogPartition(chain, () => true, left)];
          },
        );
      }),
      { numRuns: 40 },
    );
  });

  it("marginal", () => {
    fc.assert(
      fc.property(shapes, (setting) => {
        expectEqual(
          setting,
          ({ chain, emissions, mask, tags, kept }) =>
            nn.removalLogLikelihood("marginal", chain, emissions, mask, tags, kept),
          (sentence, { chains, paths, kept }) => {
            const agrees = (path: readonly number[]): boolean =>
              path.every((tag, token) => !kept[sentence]![token] || tag === paths[sentence]![token]);
            return [listedLogPartition(chains[sentence]!, agrees) - listedLogPartition(chains[sentence]!)];
          },
        );
      }),
      { numRuns: 40 },
    );
  });

  it("is the number of sequences alone when the chain breaks at every token", () => {
    const { feeds } = batchOf({ tags: 3, lengths: [4], seed: 5 });
    const { chain, emissions, mask, tags, kept } = symbols(3);
    const [found] = t.runReference([nn.removalLogLikelihood("break", chain, emissions, mask, tags, kept)], {
      ...feeds,
      kept: t.value([1, 4], [0, 0, 0, 0]),
    });
    expect(found!.data[0]).toBeCloseTo(-4 * Math.log(3), 12);
  });
});

describe("the gradient of a chain equals differences, on the runtime too", () => {
  const [batch, time, tags] = [2, 3, 3];
  const scores = [
    operand([batch, time, tags], { shape: ["batch", "time", tags] }),
    operand([tags, tags]),
    operand([tags]),
    operand([tags]),
  ];
  const flags = (shape: readonly t.Dim[], size: readonly number[], on: (index: number) => boolean) =>
    operand(size, { shape, dtype: "bool", fill: (_, index) => Number(on(index)) });
  const positions = ["batch", "time"];
  const mask = flags(positions, [batch, time], (i) => i < 4); // lengths 3 and 1
  const chosen = operand([batch, time], { shape: positions, dtype: "int32", fill: (rng) => rng.below(tags) });
  const allowed = flags([...positions, tags], [batch, time, tags], (i) => i % 3 !== 1 && i !== 3);
  const kept = flags(positions, [batch, time], (i) => i !== 1);
  const float = (x: t.Tensor | undefined): t.Tensor => t.cast(x!, "float32");

  it("log-likelihood", async () => {
    await checkFunction(
      (emissions, transitions, start, end, m, y) =>
        nn.logLikelihood({ transitions: transitions!, start: start!, end: end! }, emissions!, float(m), y!),
      [...scores, mask, chosen],
    );
  });

  it("constrained log-likelihood", async () => {
    await checkFunction(
      (emissions, transitions, start, end, m, a) =>
        nn.constrainedLogLikelihood(
          { transitions: transitions!, start: start!, end: end! },
          emissions!,
          float(m),
          float(a),
        ),
      [...scores, mask, allowed],
    );
  });

  it.each(["literal", "emission", "break", "marginal"] as const)("removed tokens, %s", async (mode) => {
    await checkFunction(
      (emissions, transitions, start, end, m, y, k) =>
        nn.removalLogLikelihood(
          mode,
          { transitions: transitions!, start: start!, end: end! },
          emissions!,
          float(m),
          y!,
          float(k),
        ),
      [...scores, mask, chosen, kept],
    );
  });

  it("marginals, which are gradients themselves", async () => {
    await checkFunction(
      (emissions, transitions, start, end, m) =>
        nn.marginals({ transitions: transitions!, start: start!, end: end! }, emissions!, float(m)),
      [...scores, mask],
    );
  });
});

describe("what must not be", () => {
  const legal: nn.Legal = (from, to) =>
    !(from === 0 && to === 1) && !(from === undefined && to === 2) && !(from === 2 && to === undefined);
  const obeys = (path: readonly number[]): boolean => [undefined, ...path].every((from, i) => legal(from, path[i]));

  function declared(setting: { lengths: readonly number[]; seed: number }) {
    const batch = batchOf({ ...setting, tags: 3 });
    const params = new nn.Parameters();
    const chain = nn.crf(params, "crf", 3, { legal });
    const [source] = batch.chains;
    const parts = { "crf.transitions": source!.transitions, "crf.start": source!.start, "crf.end": source!.end };
    const feeds = {
      ...batch.feeds,
      ...Object.fromEntries(
        params.specs.map(({ name, shape }) => [name, t.value(shape, parts[name as keyof typeof parts])]),
      ),
    };
    return { ...batch, params, chain, feeds };
  }

  it("forbidden transitions, starts and ends count for nothing", () => {
    const { chain, chains, feeds } = declared({ lengths: [4, 1, 3], seed: 3 });
    const { emissions, mask } = symbols(3);
    const [found] = t.runReference([nn.logPartition(chain, emissions, mask)], feeds);
    chains.forEach((each, i) => {
      expect(found!.data[i]).toBeCloseTo(listedLogPartition(each, obeys), 9);
    });
  });

  it("an allowed set that no legal sequence fits is finite, far below all others, and so is its gradient", async () => {
    const { chain, feeds, params } = declared({ lengths: [2], seed: 4 });
    const { emissions, mask, allowed } = symbols(3);
    const result = nn.constrainedLogLikelihood(chain, emissions, mask, allowed);
    const [likelihood, ...grads] = t.runReference(
      [result, ...t.gradients(t.sum(result), [emissions, ...params.tensors()])],
      { ...feeds, allowed: t.value([1, 2, 3], [1, 0, 0, 0, 1, 0]) },
    );
    expect(likelihood!.data[0]).toBeLessThan(-9000);
    expect(likelihood!.data[0]).toBeGreaterThan(-11000);
    for (const grad of grads) expect([...grad.data].every(Number.isFinite)).toBe(true);
  });

  it("a token without any allowed tag gives no NaN", () => {
    const { feeds } = batchOf({ tags: 2, lengths: [3], seed: 1 });
    const { chain, emissions, mask, allowed } = symbols(2);
    const result = nn.constrainedLogLikelihood(chain, emissions, mask, allowed);
    const values = t.runReference([result, ...t.gradients(t.sum(result), [emissions])], {
      ...feeds,
      allowed: t.value([1, 3, 2], [1, 0, 0, 0, 0, 1]),
    });
    for (const { data } of values) expect([...data].every(Number.isFinite)).toBe(true);
  });

  it("gives decoding the same scores as training", () => {
    const { params, chains } = declared({ lengths: [1], seed: 6 });
    const store = new nn.ParameterStore(params.specs);
    for (const part of ["transitions", "start", "end"] as const) store.get(`crf.${part}`).set(chains[0]![part]);
    const scores = nn.chainScores(store, "crf", nn.legalChain(3, legal));
    expect(scores.transitions[0]).toBe(Math.fround(chains[0]!.transitions[0]!));
    expect(scores.transitions[1]).toBe(Math.fround(chains[0]!.transitions[1]! - 1e4));
    expect(scores.start[2]).toBe(Math.fround(chains[0]!.start[2]! - 1e4));
    expect(scores.end[2]).toBe(Math.fround(chains[0]!.end[2]! - 1e4));
    expect(nn.chainScores(store, "crf").end[2]).toBe(Math.fround(chains[0]!.end[2]!));
  });
});

describe("padding", () => {
  it("changes nothing, and a row of padding alone scores 0", () => {
    const { feeds, tags } = batchOf({ tags: 3, lengths: [2, 4], seed: 9 });
    const { chain, emissions, mask, tags: y } = symbols(tags);
    const outputs = [nn.logPartition(chain, emissions, mask), nn.logLikelihood(chain, emissions, mask, y)];
    const [partition, likelihood] = t.runReference(outputs, {
      ...feeds,
      mask: t.value([2, 4], [1, 1, 0, 0, 0, 0, 0, 0]),
    });
    const [alone] = t.runReference(outputs, {
      ...feeds,
      emissions: t.value([1, 2, 3], feeds.emissions.data.subarray(0, 6)),
      mask: t.value([1, 2], [1, 1]),
      tags: t.value([1, 2], feeds.tags.data.subarray(0, 2)),
    });
    expect(partition!.data[0]).toBeCloseTo(alone!.data[0]!, 12);
    expect(partition!.data[1]).toBe(0);
    expect(likelihood!.data[1]).toBe(0);
  });
});
