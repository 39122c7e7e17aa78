#!/usr/bin/env node
import { packageVersion } from "../util/version.ts";
import { oneLine as joined } from "../util/visible.ts";
import { audit } from "./audit.ts";
import { cache } from "./cache.ts";
import { check } from "./check.ts";
import type { RegisterCommand } from "./command.ts";
import { convert } from "./convert.ts";
import { demo } from "./demo.ts";
import { evaluate } from "./evaluate.ts";
import { experiment } from "./experiment.ts";
import { exportCommand } from "./export.ts";
import { describeFailure } from "./failure.ts";
import { HelpfulCommand } from "./help.ts";
import { importModel } from "./import.ts";
import { endProcess, type Stop, stopRequests } from "./interrupt.ts";
import { label } from "./label.ts";
import { mask } from "./mask.ts";
import { assertRequiredOptions } from "./options.ts";
import { clearProgress } from "./progress.ts";
import { review } from "./review.ts";
import { serve } from "./serve.ts";
import { tag } from "./tag.ts";
import { coloured } from "./terminal.ts";
import { train } from "./train.ts";

/** Every command, in the order in which `lacuna --help` lists them. A new command is one file and one line here. */
const commands: readonly RegisterCommand[] = [
  label,
  mask,
  check,
  train,
  evaluate,
  tag,
  audit,
  review,
  serve,
  convert,
  importModel,
  exportCommand,
  experiment,
  demo,
  cache,
];

async function run(argv: readonly string[], stop: Stop): Promise<number> {
  const program = new HelpfulCommand("lacuna")
    .description("Train named-entity recognisers from annotations that have gaps.")
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`${oneLine(text)}\n`) })
    .hook("preAction", (_, command) => assertRequiredOptions(command));
  for (const register of commands) register(program, stop);
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
const exitCode = await run(process.argv.slice(2), stopRequests(process));
await written(process.stderr);
// An open standard input would keep the process alive.
await endProcess(exitCode);
