import { InputError } from "../util/errors.ts";

/** Where the queue is and how to enter; `shown` is what may stand in messages and logs. */
export interface QueueAddress {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly tls: boolean;
  readonly shown: string;
}

const usual = "redis://[USER:PASSWORD@]HOST:PORT[/DB], or rediss:// for TLS";

/** Reads an address. The password may come from elsewhere, so that it does not stand in the list of processes. */
export function queueAddress(text: string, elsewhere?: string | undefined): QueueAddress {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new InputError(`--queue: expected ${usual}`);
  }
  const db = /^\/?(\d*)$/.exec(url.pathname)?.[1];
  if (!/^rediss?:$/.test(url.protocol) || url.hostname === "" || db === undefined)
    throw new InputError(`--queue: expected ${usual}, got ${url.protocol}//${url.host}${url.pathname}`);
  const username = url.username === "" ? undefined : decodeURIComponent(url.username);
  const password = url.password === "" ? elsewhere || undefined : decodeURIComponent(url.password);
  const port = Number(url.port || 6379);
  const who = username === undefined ? "" : `${url.username}@`;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port,
    db: Number(db),
    username,
    password,
    tls: url.protocol === "rediss:",
    shown: `${url.protocol}//${who}${url.hostname}:${port}${db === "" ? "" : `/${db}`}`,
  };
}

/** A text without a password, whoever wrote it. */
export function withoutPassword(text: string, { password }: QueueAddress): string {
  if (password === undefined) return text;
  return [password, encodeURIComponent(password)].reduce((clean, secret) => clean.replaceAll(secret, "***"), text);
}
