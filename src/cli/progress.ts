import { visible } from "../util/visible.ts";
import { shortened } from "./terminal.ts";

/** Where progress is shown: standard error, or an array in a test. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressOptions {
  /** How many steps there will be; without it there is no bar and no time left. */
  readonly total?: number;
  /** How many of them were done before, by a run that this one goes on with. */
  readonly before?: number;
  /** What is counted, as a plural. */
  readonly unit?: string;
  readonly quiet?: boolean | undefined;
  readonly stream?: ProgressStream;
  /** Milliseconds; the clock is an argument for the tests. */
  readonly now?: () => number;
}

/** Shows how far a long run has come. `detail` is what the run wants to say now: a loss, a score. */
export interface Progress {
  update(done: number, detail?: string): void;
  /** Takes the bar away; the command's own summary follows. */
  finish(): void;
}

const terminalInterval = 100;
const plainInterval = 5000;
const barWidth = 16;
const eraseLine = "\r\u001b[K";

/** The stream whose last line is a bar, which has to go before anything else is written there. */
let drawnOn: ProgressStream | undefined;

/** Takes away a bar that is being shown, so that what follows stands on a line of its own. */
export function clearProgress(): void {
  drawnOn?.write(eraseLine);
  drawnOn = undefined;
}

/** Begins a line of its own where a terminal has just shown `^C`. */
export function freshLine(stream: ProgressStream = process.stderr): void {
  if (drawnOn === stream) clearProgress();
  else if (stream.isTTY) stream.write("\n");
}

/** A bar that is redrawn on a terminal, a plain line every few seconds elsewhere, nothing when quiet. */
export function progress(label: string, options: ProgressOptions = {}): Progress {
  const { quiet = false, stream = process.stderr, now = Date.now } = options;
  if (quiet) return { update() {}, finish() {} };
  const isTerminal = stream.isTTY === true;
  const started = now();
  let last = isTerminal ? Number.NEGATIVE_INFINITY : started;
  return {
    update(done, detail) {
      const time = now();
      if (time - last < (isTerminal ? terminalInterval : plainInterval)) return;
      last = time;
      const text = describe(visible(label), done, time - started, isTerminal, options);
      const line = detail === undefined ? text : `${text}  ${detail}`;
      stream.write(isTerminal ? eraseLine + cut(line, stream.columns) : `${line}\n`);
      if (isTerminal) drawnOn = stream;
    },
    finish() {
      if (drawnOn === stream) clearProgress();
    },
  };
}

function describe(label: string, done: number, elapsed: number, bar: boolean, options: ProgressOptions): string {
  const { total, before = 0, unit = "steps" } = options;
  if (total === undefined) {
    return `${label}  ${grouped(done)} ${done === 1 ? unit.replace(/s$/, "") : unit}  ${clock(elapsed)}`;
  }
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(share * barWidth);
  const picture = bar ? `[${"=".repeat(filled)}${" ".repeat(barWidth - filled)}] ` : "";
  const left = done <= before ? "" : `  ${clock((elapsed / (done - before)) * Math.max(0, total - done))} left`;
  return `${label}  ${picture}${Math.floor(share * 100)} %  ${grouped(done)}/${grouped(total)} ${unit}${left}`;
}

/** A line that wraps could not be erased. */
function cut(line: string, columns = 80): string {
  return shortened(line, Math.max(1, columns - 1));
}

/** `0:07`, `12:30`, `1:05:00`. */
export function clock(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const pad = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

/** `12,345`: figures on standard error are for people. */
export function grouped(value: number): string {
  return value.toLocaleString("en-GB");
}
