import { join } from "node:path";
import type { Model } from "../heads/index.ts";
import { Predictor, saveModel } from "../inference/index.ts";
import { ParameterStore } from "../nn/index.ts";
import { writeTextAtomically } from "../util/atomic.ts";
import { makeFolder } from "../util/make-folder.ts";
import type { TrainingData } from "./data.ts";
import { decide } from "./decision.ts";
import { hashSentences } from "./fingerprint.ts";
import { openFolder } from "./folder.ts";
import type { EvaluationRecord } from "./progress.ts";
import type { RunOptions, RunRecord } from "./run.ts";
import { runtimeOf, type Settings } from "./settings.ts";

/** A model that is made without training: evaluated on dev, saved and recorded like one that was trained. */
export async function* keepUntrained(
  model: Model,
  settings: Settings,
  data: TrainingData,
  { directory }: RunOptions,
): AsyncGenerator<RunRecord, EvaluationRecord[]> {
  await openFolder(directory, false);
  await makeFolder(directory);
  const store = new ParameterStore(model.params.specs);
  const predictor = await Predictor.create(model, store, { runtime: runtimeOf(settings) });
  const { dev } = await decide(predictor, data.dev, settings, 0).finally(() => predictor.dispose());
  const nothing = { epoch: 0, loss: 0, negatives: 0 };
  const record: EvaluationRecord = { kind: "evaluation", untrained: true, ...nothing, dev, improved: true };
  await writeTextAtomically(join(directory, "metrics.jsonl"), `${JSON.stringify(record)}\n`);
  const scores = dev && { precision: dev.precision, recall: dev.recall, f1: dev.f1, support: dev.support };
  await saveModel(directory, model, store, {
    training: settings,
    provenance: { data: { dev: hashSentences(data.dev) }, epoch: 0, dev: scores },
    card: card(model, settings, scores),
  });
  yield record;
  return [record];
}

function card({ types, facts }: Model, { method }: Settings, dev: { readonly f1: number } | null): string {
  const rows = [["method", `\`${method}\``], ...facts].map(([name, value]) => `| ${name} | ${value} |\n`);
  const score = dev ? `F1 on the dev set: ${(100 * dev.f1).toFixed(2)} %.` : "No dev set was given.";
  return `# A named-entity recogniser made by Lacuna

Types: ${types.join(", ")}. Nothing of it was trained.

| | |
|---|---|
${rows.join("")}
${score}

\`\`\`sh
lacuna tag --model . --in text.txt
\`\`\`
`;
}
