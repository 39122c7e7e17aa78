import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Report } from "../evaluation/index.ts";
import { readAll } from "../formats/index.ts";
import { gapFigure, gapReport, summarise, writeFigure } from "../report/index.ts";
import { type GapStudy, type GapStudyData, gapStudy, type SystemName } from "../studies/index.ts";
import type { SettingsInput } from "../training/index.ts";
import { writeTextAtomically } from "../util/atomic.ts";
import type { CommandContext, RegisterCommand } from "./command.ts";
import { inDemoFolder, writeDemoMark } from "./demo-folder.ts";
import { describeStudy } from "./demo-print.ts";
import { countingNumber, fraction, jsonOption, quietOption, seedOption } from "./options.ts";
import { note, print, printJson } from "./output.ts";
import { clock } from "./progress.ts";
import { type TrainingWatch, watchTraining } from "./train-print.ts";

interface DemoFlags {
  readonly out: string;
  readonly hide: number;
  readonly epochs: number;
  readonly seed: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Small enough for a minute on two cores, large enough to show what gaps do. */
const demoSettings: SettingsInput = {
  patience: 0,
  rate: 8e-3,
  encoder: {
    name: "bilstm",
    units: 48,
    wordWidth: 50,
    dropout: 0.3,
    featureSettings: { charWidth: 16, charFilters: 30 },
  },
  head: { hidden: 64 },
};

const help = `
The sample corpus is in the package; nothing is downloaded. Three recognisers of the same kind are trained: plainly and
with negative sampling on what hiding leaves, and plainly on everything. The first one is also tested with its decision
shifted as dev says, which costs no training. Scores, a report and the models are kept in a folder.

Examples:
  $ lacuna demo
  $ lacuna demo --hide 0.8 --seed 2 --out gaps`;

export const demo: RegisterCommand = (program, stop) => {
  program
    .command("demo")
    .description("See in a minute what missing annotations do, and what can be done about them")
    .option("--out <dir>", "the folder to write", "lacuna-demo")
    .option("--hide <share>", "how many of the training annotations to hide", fraction, 0.6)
    .option("--epochs <n>", "passes over the training data", countingNumber, 8)
    .addOption(seedOption())
    .addOption(jsonOption("print the figures as JSON"))
    .addOption(quietOption())
    .addHelpText("after", help)
    .action((flags: DemoFlags) => run(flags, stop));
};

async function run(flags: DemoFlags, { signal, allowTime }: CommandContext): Promise<void> {
  // An interrupted demo takes its folder away before it ends.
  allowTime();
  const started = Date.now();
  const { out, json, quiet } = flags;
  const { figures, summary } = await inDemoFolder(out, async (folder) => {
    const study = await runStudy(flags, folder, signal);
    const words = summarise(study);
    const numbers = figuresOf(study, flags);
    await writeFigure(join(folder, "figure.svg"), gapFigure(study));
    await writeTextAtomically(join(folder, "report.md"), gapReport(words, { picture: "figure.svg", model: "model" }));
    await writeDemoMark(folder, numbers);
    return { figures: numbers, summary: words };
  });
  if (json) printJson(figures);
  else print(describeStudy(summary));
  if (quiet) return;
  note(`\n${out}: report.md, figure.svg, and the models; done in ${clock(Date.now() - started)}`);
  note(`To use the model: lacuna tag --model ${join(out, "model")}`);
}

const labels: Readonly<Record<SystemName, string>> = {
  plain: "1 of 3, plain training",
  model: "2 of 3, negative sampling",
  complete: "3 of 3, nothing hidden",
};

async function runStudy(flags: DemoFlags, directory: string, signal: AbortSignal): Promise<GapStudy> {
  const { hide, epochs, seed, quiet } = flags;
  const study = gapStudy(await readSamples(), {
    share: hide,
    seed,
    method: "uniform",
    settings: { ...demoSettings, epochs },
    directory,
    signal,
  });
  let watch: TrainingWatch | undefined;
  try {
    for (;;) {
      const { done, value } = await study.next();
      if (done) return value;
      if (value.kind !== "system") watch?.see(value);
      else {
        watch?.finish();
        watch = watchTraining({ label: labels[value.name], epochs, quiet, lines: false });
      }
    }
  } finally {
    watch?.finish();
  }
}

async function readSamples(): Promise<GapStudyData> {
  const documents = (name: string) => {
    const path = fileURLToPath(new URL(`../../samples/${name}.conll`, import.meta.url));
    return readAll([path], { silence: "negative" });
  };
  const sentences = async (name: string) => (await documents(name)).flatMap((document) => document.sentences);
  return { train: await documents("train"), dev: await sentences("dev"), test: await sentences("test") };
}

function figuresOf(study: GapStudy, { hide, epochs, seed }: DemoFlags): object {
  const { systems, shifted, gaps, missedByPlain: _, ...figures } = study;
  const scores = Object.entries(systems).map(([name, { method, test, history }]) => {
    return [name, { method, test: scoresOf(test), dev: history.map(({ dev }) => dev?.f1) }];
  });
  return {
    hide,
    epochs,
    seed,
    ...figures,
    shifted: { ...shifted, test: scoresOf(shifted.test), dev: shifted.dev.f1 },
    systems: Object.fromEntries(scores),
    gaps: { found: gaps.all.length, right: gaps.right },
  };
}

function scoresOf({ precision, recall, f1, support, byType }: Report): object {
  return { precision, recall, f1, support, byType };
}
