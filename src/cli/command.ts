import type { Command } from "commander";

/** What every command is given beside its own flags. */
export interface CommandContext {
  /** Aborted on SIGINT or SIGTERM; see `interruptible`. */
  readonly signal: AbortSignal;
}

/** Adds one command to the program. */
export type RegisterCommand = (program: Command, context: CommandContext) => void;
