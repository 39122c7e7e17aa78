import { commandForm } from "../encoders/index.ts";
import type { Model } from "../heads/index.ts";
import { shiftText } from "../inference/index.ts";
import type { TrainingData } from "./data.ts";
import type { EvaluationRecord } from "./progress.ts";
import type { Settings } from "./settings.ts";

/** The README of a model directory: what it is, what it was trained on, how good it is, how to use it. */
export function modelCard(
  model: Model,
  settings: Settings,
  { dev, epoch, shift }: EvaluationRecord,
  data: TrainingData,
  origin = "",
): string {
  const entities = data.train.reduce((total, sentence) => total + sentence.entities.length, 0);
  const rows = Object.entries(dev?.byType ?? {}).map(([type, score]) => row(type, score));
  const completeness = dev && !dev.gold.complete ? " The dev set is incomplete, so precision is a lower bound." : "";
  return `# A named-entity recogniser made by Lacuna

Types: ${model.types.join(", ")}.

| | |
|---|---|
| method | \`${settings.method}\` |
| encoder | \`${commandForm(settings.encoder)}\` |
${model.facts.map(([name, value]) => `| ${name} | ${value} |\n`).join("")}${shift === undefined ? "" : `| added to the score of O | ${shiftText(shift)} |\n`}| trained on | ${data.train.length} sentences with ${entities} labelled entities |
| epochs | ${epoch} of at most ${settings.epochs}, seed ${settings.seed} |

${dev ? `Scores on the dev set (${data.dev.length} sentences), on which this state was chosen, in per cent.${completeness}\n\n${scoreTable([row("all", dev), ...rows])}` : "No dev set was given: this is the state after the last epoch."}
${origin === "" ? "" : `\n${origin}\n`}
\`\`\`sh
lacuna tag --model . --in text.txt
\`\`\`

\`config.json\` holds the complete settings and the hashes of the data, \`metrics.jsonl\` every evaluation.
`;
}

function scoreTable(rows: readonly string[]): string {
  return ["| type | precision | recall | F1 | support |", "|---|---|---|---|---|", ...rows].join("\n");
}

function row(
  name: string,
  { precision, recall, f1, support }: { precision: number; recall: number; f1: number; support: number },
): string {
  const percent = (value: number): string => (100 * value).toFixed(2);
  return `| ${name} | ${percent(precision)} | ${percent(recall)} | ${percent(f1)} | ${support} |`;
}
