import { describe, expect, it } from "vitest";
import { openEncoder } from "../src/encoders/index.ts";
import { type Adjustment, type Head, heads } from "../src/heads/index.ts";
import { completeSettings } from "../src/methods/index.ts";
import { ParameterStore } from "../src/nn/index.ts";
import { makeObjective } from "../src/objectives/index.ts";
import { all } from "../src/samplers/index.ts";
import { Program } from "../src/tensor/index.ts";
import { scoresOf } from "./support/scores.ts";
import { sentenceOf } from "./support/words.ts";

const sentences = [
  sentenceOf("Ana lives here", { entities: [{ start: 0, end: 1, type: "PER" }] }),
  sentenceOf("so said Ana", { entities: [{ start: 2, end: 3, type: "PER" }] }),
];
/** Labels and silence: some entity at half a weight, no weight, shares on a label and where there is none. */
const adjust = (shares: readonly number[], entity: readonly number[]): Adjustment[] => [
  { sentence: 0, start: 0, end: 1, weight: 0.5, allowed: entity },
  { sentence: 0, start: 1, end: 2, weight: 0.25 },
  { sentence: 0, start: 2, end: 3, weight: 0 },
  { sentence: 1, start: 0, end: 1, weight: 0.75, target: shares },
  { sentence: 1, start: 2, end: 3, weight: 1, target: shares },
];

describe.each([
  ["span", { maxWidth: 1, hidden: 6, dropout: 0 }, { shares: [0.3, 0.5, 0.2], person: 2, entity: [1, 2] }],
  ["token", { output: "softmax", dropout: 0 }, { shares: [0.3, 0.4, 0.1, 0.1, 0.1], person: 3, entity: [1, 2, 3, 4] }],
] as const)("the head %s", (name, own, { shares, person, entity }) => {
  it("weighs items, takes some of the labels for right, and learns shares by their cross-entropy, or the bounded loss, as a sum by hand says", async () => {
    const head: Head = heads[name];
    const given = { name: "bilstm", wordWidth: 4, units: 4, minimumCount: 1, dropout: 0 };
    const encoder = await openEncoder(completeSettings({ encoder: given }).encoder, sentences, 1);
    const adjustments = adjust(shares, entity);
    for (const objective of ["cross-entropy", "gce"] as const) {
      const task = head.train({ sentences, adjustments }, encoder, ["LOC", "PER"], head.settings.parse(own), {
        sampler: all(),
        objective: makeObjective({ name: objective, reduction: "mean", q: 0.7 } as never),
        epochs: 1,
        seed: 1,
      });
      const store = new ParameterStore(task.model.params.specs).initialise(3);
      const program = await Program.compile({ loss: task.graph().loss });
      const { batch } = task.batch([0, 1], { seed: 1, epoch: 0 });
      const result = await program.run({ ...store.tensors(), ...batch.feeds });
      await program.dispose();

      const said = await scoresOf(task.model, store, sentences);
      const labels = task.model.labels.length;
      const cost = (p: number): number => (objective === "gce" ? (1 - p ** 0.7) / 0.7 : -Math.log(p));
      let [total, weights] = [0, 0];
      said.forEach(({ logProbs, items }, sentence) => {
        for (let item = 0; item < items.size; item++) {
          const change = adjustments.find((each) => each.sentence === sentence && each.start === item);
          const probability = (label: number): number => Math.exp(logProbs[item * labels + label]!);
          const right = change?.allowed ?? [sentences[sentence]!.entities[0]!.start === item ? person : 0];
          const loss = change?.target
            ? change.target.reduce((sum, share, label) => sum + share * cost(probability(label)), 0)
            : cost(right.reduce((sum, label) => sum + probability(label), 0));
          total += (change?.weight ?? 1) * loss;
          weights += change?.weight ?? 1;
        }
      });
      expect(weights).toBe(3.5);
      expect(result.loss!.data[0]).toBeCloseTo(total / weights, 5);
    }
  });
});
