import type { Command } from "commander";
import type { Stop } from "./interrupt.ts";

/** What every command is given beside its own flags: `signal` is aborted on SIGINT or SIGTERM; see `interruptible`. */
export type CommandContext = Stop;

/** Adds one command to the program. */
export type RegisterCommand = (program: Command, context: CommandContext) => void;
