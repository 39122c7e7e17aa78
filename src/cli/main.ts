#!/usr/bin/env node
import { runLongWork } from "../util/long-work.ts";
import { own } from "../util/own.ts";
import { packageVersion } from "../util/version.ts";
import { oneLine as joined } from "../util/visible.ts";
import type { RegisterCommand } from "./command.ts";
import { describeFailure } from "./failure.ts";
import { HelpfulCommand } from "./help.ts";
import { endProcess, type Stop, stopRequests } from "./interrupt.ts";
import { assertRequiredOptions } from "./options.ts";
import { clearProgress } from "./progress.ts";
import { coloured } from "./terminal.ts";

/** Every command, in the order in which `lacuna --help` lists them. A new command is one file and one line here. */
const commands: Readonly<Record<string, () => Promise<RegisterCommand>>> = {
  label: async () => (await import("./label.ts")).label,
  mask: async () => (await import("./mask.ts")).mask,
  check: async () => (await import("./check.ts")).check,
  train: async () => (await import("./train.ts")).train,
  evaluate: async () => (await import("./evaluate.ts")).evaluate,
  tag: async () => (await import("./tag.ts")).tag,
  audit: async () => (await import("./audit.ts")).audit,
  review: async () => (await import("./review.ts")).review,
  serve: async () => (await import("./serve.ts")).serve,
  convert: async () => (await import("./convert.ts")).convert,
  import: async () => (await import("./import.ts")).importModel,
  export: async () => (await import("./export.ts")).exportCommand,
  experiment: async () => (await import("./experiment.ts")).experiment,
  worker: async () => (await import("./worker.ts")).worker,
  demo: async () => (await import("./demo.ts")).demo,
  cache: async () => (await import("./cache.ts")).cache,
};

/** The command that is called, so that it starts without loading the others; all where none is, for help and for errors. */
async function wanted([name]: readonly string[]): Promise<RegisterCommand[]> {
  const load = name === undefined ? undefined : own(commands, name);
  return Promise.all((load ? [load] : Object.values(commands)).map((each) => each()));
}

async function run(argv: readonly string[], stop: Stop): Promise<number> {
  const program = new HelpfulCommand("lacuna")
    .description("Train named-entity recognisers from annotations that have gaps.")
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`${oneLine(text)}\n`) })
    .hook("preAction", (_, command) => assertRequiredOptions(command));
  for (const register of await wanted(argv)) register(program, stop);
  try {
    await program.parseAsync([...argv], { from: "user" });
    await written(process.stdout);
    stop.signal.throwIfAborted();
    return 0;
  } catch (error) {
    const failure = describeFailure(error, { stack: process.env.LACUNA_DEBUG === "1" });
    if (failure.message !== undefined) {
      clearProgress();
      process.stderr.write(`${coloured("lacuna:", "red", process.stderr)} ${failure.message}\n`);
    }
    return failure.exitCode;
  }
}

/** Waits until all output has been handed over, or could not be. */
function written(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write("", () => setImmediate(resolve));
  });
}

/** Commander writes `error: …` and puts its suggestion on a second line; ours is one line with the program's name. */
function oneLine(text: string): string {
  return joined(text.trim().replace(/^error: /, "lacuna: "));
}

// Progress may go unread; the work goes on.
process.stderr.on("error", () => {});
const stop = stopRequests(process);
runLongWork(stop.atOnce);
const exitCode = await run(process.argv.slice(2), stop);
await written(process.stderr);
// An open standard input would keep the process alive.
await endProcess(exitCode);
