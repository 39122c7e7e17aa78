import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { availableParallelism } from "node:os";
import { createAdaptorServer } from "@hono/node-server";
import { InputError, messageOf } from "../util/errors.ts";
import { admission } from "./admission.ts";
import { makeApp } from "./app.ts";
import { isLoopback } from "./guard.ts";
import type { Log } from "./log.ts";
import { serverMetrics } from "./metrics.ts";
import type { Offsets } from "./schemas.ts";
import { type ServedModel, serveModel } from "./served-model.ts";

export interface ServeOptions {
  /** Model directories by name; the first answers requests that name none. */
  readonly models: ReadonlyMap<string, string>;
  readonly parts?: Readonly<Record<string, string>> | undefined;
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Processes for each model; 0 puts the models into this process. */
  readonly workers: number;
  readonly threads?: number | undefined;
  /** Milliseconds that a text waits for others. */
  readonly batchWait: number;
  readonly batchTokens: number;
  readonly maxQueue: number;
  readonly maxBody: number;
  /** Milliseconds in which a request is answered, and in which a client has to send one. */
  readonly timeout: number;
  readonly offsets: Offsets;
  readonly token?: string | undefined;
  readonly allowHosts: readonly string[];
  readonly cors: readonly string[];
  readonly log: Log;
}

export const serveDefaults = {
  host: "127.0.0.1",
  port: 8080,
  workers: 1,
  batchWait: 2,
  batchTokens: 2048,
  maxQueue: 1024,
  maxBody: 1 << 20,
  timeout: 60_000,
  offsets: "utf-16",
  allowHosts: [] as readonly string[],
  cors: [] as readonly string[],
} as const satisfies Partial<ServeOptions>;

/** A server that has its models open and takes requests. */
export interface RunningServer {
  readonly url: string;
  readonly port: number;
  /** Opens all models anew. Requests go on; a model that does not load stays as it was. Tells whether all did load. */
  reload(): Promise<boolean>;
  /** Takes no more connections, answers the requests that are there, then frees the models. */
  stop(): Promise<void>;
}

/** Bodies that may be in memory at once, in bodies of the largest size. */
const largeBodies = 32;
const mostConnections = 16_384;
/** Milliseconds after which a connection without a request is closed; while stopping, how long one may still come on it. */
const idle = { usually: 30_000, stopping: 400 } as const;
const mostHeaders = 1 << 14;

export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { log, host, timeout } = options;
  const models: ServedModel[] = [];
  let isStopping = false;
  const metrics = serverMetrics({
    queuedTexts: () => queue.texts,
    queuedBytes: () => queue.bytes,
    connections: () => connections,
    workers: () => models.map((model) => [model.name, model.ready()] as const),
  });
  const queue = admission({ texts: options.maxQueue, bytes: largeBodies * options.maxBody }, metrics.refused);
  const closeModels = async (): Promise<void> => {
    await Promise.all(models.map((model) => model.close()));
  };
  const app = makeApp({
    ...options,
    models,
    admission: queue,
    metrics,
    hosts: isLoopback(host) ? options.allowHosts : undefined,
    isStopping: () => isStopping,
  });
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    serverOptions: {
      headersTimeout: Math.min(timeout, 15_000),
      requestTimeout: timeout,
      keepAliveTimeout: idle.usually,
      connectionsCheckingInterval: Math.min(1000, timeout / 2),
      maxHeaderSize: mostHeaders,
    },
  }) as Server;
  // A client that does not read its answer is as slow as one that does not send its request.
  server.timeout = 2 * timeout;
  server.maxConnections = mostConnections;
  let connections = 0;
  server.on("connection", (socket) => {
    connections++;
    socket.once("close", () => connections--);
  });

  try {
    for (const [name, directory] of options.models) {
      const batch = { wait: options.batchWait, tokens: options.batchTokens };
      const { parts, workers } = options;
      const threads = options.threads ?? sharedCores(workers);
      models.push(await serveModel({ name, directory, parts, threads, workers, batch }, log, metrics));
      log.info("model loaded", { model: name, workers, types: models.at(-1)!.types().length });
    }
    await listening(server, options);
  } catch (error) {
    await closeModels();
    throw error;
  }
  const { port } = server.address() as { port: number };
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}/`;
  log.info("listening", { url });

  let reloading: Promise<boolean> = Promise.resolve(true);
  return {
    url,
    port,
    reload() {
      reloading = reloading.then(() => reloadAll(models, log, metrics.reload));
      return reloading;
    },
    async stop() {
      isStopping = true;
      log.info("stopping", { texts: queue.texts });
      const closed = new Promise<void>((resolve) => {
        // Not `server.close()`, which hangs up on clients whose next request is already on its way.
        NetServer.prototype.close.call(server, () => resolve());
      });
      const hangUp = setInterval(() => server.closeIdleConnections(), idle.stopping);
      const late = setTimeout(() => server.closeAllConnections(), timeout + 5000);
      await closed;
      clearInterval(hangUp);
      clearTimeout(late);
      await reloading;
      await closeModels();
      log.info("stopped");
    },
  };
}

/** Threads of each of several workers; one alone takes what the engine takes by itself. */
function sharedCores(workers: number): number | undefined {
  return workers > 1 ? Math.max(1, Math.floor(availableParallelism() / workers)) : undefined;
}

async function reloadAll(
  models: readonly ServedModel[],
  log: Log,
  count: (model: string, worked: boolean) => void,
): Promise<boolean> {
  let worked = true;
  for (const model of models) {
    try {
      await model.reload();
      log.info("model reloaded", { model: model.name });
      count(model.name, true);
    } catch (error) {
      worked = false;
      log.error("model not reloaded, the old one stays", { model: model.name, reason: messageOf(error) });
      count(model.name, false);
    }
  }
  return worked;
}

function listening(server: Server, { host, port }: ServeOptions): Promise<void> {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: "another program listens there; give another --port",
    EACCES: "no permission to listen there; give a --port from 1024",
    EADDRNOTAVAIL: "this machine has no such address; give another --host",
    ENOTFOUND: "no such host; give another --host",
  };
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(new InputError(`${host}:${port}: ${reasons[error.code ?? ""] ?? messageOf(error)}`));
    });
    server.listen(port, host, () => resolve());
  });
}
