import { dictionary } from "./dictionary.ts";
import { encoders } from "./encoders.ts";
import { engine } from "./engine.ts";
import { exported } from "./export.ts";
import { features } from "./features.ts";
import { formats } from "./formats.ts";
import { type Bench, type Figure, runBenches } from "./harness.ts";
import { lexicon } from "./lexicon.ts";
import { methodRuns } from "./method-runs.ts";
import { methods } from "./methods.ts";
import { pipeline, sampler } from "./pipeline.ts";
import { queue } from "./queue.ts";
import { review } from "./review.ts";
import { serve } from "./serve.ts";
import { servePeer } from "./serve-peer.ts";
import { softlexicon } from "./softlexicon.ts";
import { stack } from "./stack.ts";

const benches: readonly Bench[] = [
  formats,
  engine,
  pipeline,
  sampler,
  methods,
  methodRuns,
  dictionary,
  encoders,
  softlexicon,
  features,
  stack,
  exported,
  lexicon,
  serve,
  servePeer,
  queue,
  review,
];

const asJson = process.argv.includes("--json");
const names = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));

function print({ name, value, unit }: Figure): void {
  const rounded = Number(value.toPrecision(4));
  const line = asJson
    ? JSON.stringify({ name, value: rounded, unit })
    : `${name.padEnd(32)} ${String(rounded).padStart(12)} ${unit}`;
  process.stdout.write(`${line}\n`);
}

const count = await runBenches(benches, names, {
  figure: print,
  progress: (message) => process.stderr.write(`${message}\n`),
});
if (count === 0) {
  process.stderr.write(
    `no figure is called ${names.join(", ")} (groups: ${benches.map(({ prefix }) => prefix).join(", ")})\n`,
  );
  process.exitCode = 2;
}
