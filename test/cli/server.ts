import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { type Folder, start } from "./lacuna.ts";

/** A server that was started as a user would start it. */
export interface StartedServer {
  readonly url: string;
  readonly port: number;
  readonly child: ChildProcessWithoutNullStreams;
  /** What it has logged so far. */
  readonly log: () => Record<string, unknown>[];
  readonly stderr: () => string;
  post(body: unknown, path?: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** The exit code and the signal when it is over. */
  ended(): Promise<[code: number | null, signal: string | null]>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever was answered; tests compare it as a whole.
  readonly json: any;
}

/** Starts `lacuna serve` on a free port, and ends it after the test. */
export async function startServing(folder: Folder, ...args: string[]): Promise<StartedServer> {
  const { server, end } = await serving(folder, ...args);
  onTestFinished(end);
  return server;
}

/** The same for a server that several tests use. */
export async function serving(folder: Folder, ...args: string[]) {
  const child = start(folder, "serve", "--port", "0", ...args);
  let [stdout, stderr] = ["", ""];
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const over = new Promise<[number | null, string | null]>((resolve) =>
    child.on("close", (code, signal) => resolve([code, signal])),
  );
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
      if (stdout.includes("\n")) resolve();
    });
    over.then(() => reject(new Error(`the server ended: ${stderr}`)));
  });
  const url = stdout.split("\n")[0]!;
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(new URL(path, url), init);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
  };
  const server: StartedServer = {
    url,
    port: Number(new URL(url).port),
    child,
    stderr: () => stderr,
    log: () =>
      stderr
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line)),
    post: (body, path = "/", headers = {}) =>
      ask(path, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: body instanceof Uint8Array || typeof body === "string" ? (body as string) : JSON.stringify(body),
      }),
    get: (path, headers = {}) => ask(path, { headers }),
    ended: () => over,
  };
  const end = async (): Promise<void> => {
    child.kill("SIGKILL");
    await over;
  };
  return { server, end };
}

/** Bytes that are sent as they are, and all that comes back until the connection is closed. */
export async function raw(port: number, ...chunks: (string | Buffer)[]): Promise<string> {
  const socket = await open(port);
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  for (const chunk of chunks) socket.write(chunk);
  await once(socket, "close");
  return answer;
}

export async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  return socket;
}
