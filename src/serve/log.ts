/** What is said with a line: numbers and words of the server, never of a text. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** One JSON object a line, for people and for programs that collect logs. */
export interface Log {
  /** A request that was answered; left out when quiet. */
  request(fields: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export interface LogOptions {
  readonly quiet?: boolean | undefined;
  readonly now?: () => Date;
}

export function jsonLog(
  write: (line: string) => void,
  { quiet = false, now = () => new Date() }: LogOptions = {},
): Log {
  const line = (level: string, message: string, fields: LogFields = {}): void =>
    write(`${JSON.stringify({ time: now().toISOString(), level, message, ...fields })}\n`);
  return {
    request(fields) {
      if (!quiet) line("info", "request", fields);
    },
    info: (message, fields) => line("info", message, fields),
    warn: (message, fields) => line("warn", message, fields),
    error: (message, fields) => line("error", message, fields),
  };
}
