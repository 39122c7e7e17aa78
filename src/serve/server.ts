import { availableParallelism } from "node:os";
import { InputError, messageOf } from "../util/errors.ts";
import { admission } from "./admission.ts";
import { makeApp } from "./app.ts";
import { isLoopback } from "./guard.ts";
import { type HttpServer, httpServer } from "./http-server.ts";
import type { Log } from "./log.ts";
import { type Metrics, serverMetrics } from "./metrics.ts";
import type { Offsets } from "./schemas.ts";
import { type ServedModel, serveModel } from "./served-model.ts";

export interface ServeOptions {
  /** Of the program, for the description. */
  readonly version: string;
  /** Model directories by name; the first answers requests that name none. */
  readonly models: ReadonlyMap<string, string>;
  /** Where the frozen parts of models are, by the name of the model. */
  readonly parts?: ReadonlyMap<string, Readonly<Record<string, string>>> | undefined;
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
  /** Lets the process end though the server runs. */
  unref(): void;
}

/** Bodies that may be in memory at once, in bodies of the largest size. */
const largeBodies = 32;

export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { log, host, timeout } = options;
  let models: readonly ServedModel[] = [];
  let http: HttpServer | undefined;
  let isStopping = false;
  const metrics = serverMetrics({
    queuedTexts: () => queue.texts,
    queuedBytes: () => queue.bytes,
    connections: () => http?.connections() ?? 0,
    workers: () => models.map((model) => [model.name, model.ready()] as const),
  });
  const queue = admission({ texts: options.maxQueue, bytes: largeBodies * options.maxBody }, metrics.refused);
  models = await openModels(options, metrics);
  const app = makeApp({
    ...options,
    models,
    admission: queue,
    metrics,
    hosts: isLoopback(host) ? options.allowHosts : undefined,
    isStopping: () => isStopping,
  });
  http = httpServer(app.fetch, timeout);
  const port = await http.listen(options.port, host).catch(async (error: unknown) => {
    await closeAll(models);
    throw error;
  });
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}/`;
  log.info("listening", { url });

  let reloading: Promise<boolean> = Promise.resolve(true);
  return {
    url,
    port,
    reload() {
      reloading = reloading.then(() => reloadAll(models, log, metrics));
      return reloading;
    },
    async stop() {
      isStopping = true;
      log.info("stopping", { texts: queue.texts });
      await http.drain();
      await reloading;
      await closeAll(models);
      log.info("stopped");
    },
    unref: http.unref,
  };
}

async function openModels(options: ServeOptions, metrics: Metrics): Promise<ServedModel[]> {
  const { log, parts, workers, threads = sharedCores(workers) } = options;
  const batch = { wait: options.batchWait, tokens: options.batchTokens };
  const models: ServedModel[] = [];
  try {
    for (const [name, directory] of options.models) {
      const own = { name, directory, parts: parts?.get(name) };
      const model = await serveModel({ ...own, threads, workers, batch }, log, metrics).catch((error: unknown) => {
        if (!(error instanceof InputError) || options.models.size === 1) throw error;
        throw new InputError(`model ${name}: ${error.message}`);
      });
      models.push(model);
      log.info("model loaded", { model: name, workers, types: model.types().length });
    }
    return models;
  } catch (error) {
    await closeAll(models);
    throw error;
  }
}

/** Threads of each of several workers; one alone takes what the engine takes by itself. */
function sharedCores(workers: number): number | undefined {
  return workers > 1 ? Math.max(1, Math.floor(availableParallelism() / workers)) : undefined;
}

async function closeAll(models: readonly ServedModel[]): Promise<void> {
  await Promise.all(models.map((model) => model.close()));
}

/** One after the other, so that only one of them is in memory twice. */
async function reloadAll(models: readonly ServedModel[], log: Log, metrics: Metrics): Promise<boolean> {
  let worked = true;
  for (const model of models) {
    try {
      await model.reload();
      log.info("model reloaded", { model: model.name });
      metrics.reload(model.name, true);
    } catch (error) {
      worked = false;
      log.error("model not reloaded, the old one stays", { model: model.name, reason: messageOf(error) });
      metrics.reload(model.name, false);
    }
  }
  return worked;
}
