import { CommanderError } from "commander";
import { DivergedError } from "../util/diverged.ts";
import { InputError } from "../util/errors.ts";
import { machineErrors } from "../util/output-target.ts";
import { own } from "../util/own.ts";
import { oneLine, visibleLines } from "../util/visible.ts";
import { Interrupted } from "./interrupt.ts";

/** A run that worked and whose answer is no: a threshold that was missed. Exit code 1. */
export class NegativeOutcome extends Error {}

export interface Failure {
  readonly exitCode: number;
  /** What to tell the user; absent where everything has been said, or nobody is left to hear it. */
  readonly message?: string;
}

/** What a user can do about the errors of the operating system, which are about their files and not about our code. */
const systemErrors: Readonly<Record<string, string>> = {
  ENOENT: "no such file or directory",
  EISDIR: "is a directory, expected a file",
  ENOTDIR: "a part of this path is a file, expected a directory",
  ENOTEMPTY: "the directory is not empty",
  EEXIST: "exists already",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EROFS: "the file system is read-only",
  ENOSPC: "no space left on the device",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file grew larger than the system allows",
  EBUSY: "the file is in use",
  EMFILE: "too many open files",
  ENFILE: "too many open files on this system",
  ENAMETOOLONG: "the file name is too long",
  ELOOP: "too many symbolic links",
  EIO: "the device failed to read or write",
  ERR_FS_FILE_TOO_LARGE: "the file is larger than 2 GiB, which is too large to be read as a whole",
  ERR_STRING_TOO_LONG: "the file is too large to be read as a whole",
};

/** The one line and the exit code for anything that was thrown. */
export function describeFailure(error: unknown, options: { readonly stack?: boolean } = {}): Failure {
  if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? 0 : 2 };
  if (error instanceof Interrupted) return { exitCode: error.exitCode };
  if (isSystemError(error) && error.code === "EPIPE") return { exitCode: 0 };
  const stack = options.stack && error instanceof Error ? visibleLines(`\n${error.stack}`) : "";
  if (error instanceof InputError) return { exitCode: 2, message: error.message + stack };
  if (error instanceof NegativeOutcome || error instanceof DivergedError)
    return { exitCode: 1, message: oneLine(error.message) + stack };
  const reason = isSystemError(error) ? own(systemErrors, error.code) : undefined;
  if (reason !== undefined)
    return {
      exitCode: machineErrors.has((error as SystemError).code) ? 1 : 2,
      message: `${placeOf(error as SystemError)}${reason}${stack}`,
    };
  const hint = stack === "" ? " (set LACUNA_DEBUG=1 to see where)" : stack;
  return { exitCode: 1, message: `unexpected ${oneLine(String(error))}${hint}` };
}

interface SystemError extends Error {
  readonly code: string;
  readonly path?: string;
  readonly dest?: string;
}

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

/** A rename fails because of its target more often than because of the temporary file it moves. */
function placeOf({ path, dest }: SystemError): string {
  const file = dest ?? path;
  return file === undefined ? "" : `${oneLine(file)}: `;
}
