import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import type { Admission } from "./admission.ts";
import { answerOf } from "./answer.ts";
import { readTagRequest } from "./body.ts";
import { hostGuard, tokenGuard } from "./guard.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { openApi } from "./openapi.ts";
import { page } from "./page.ts";
import { Refusal } from "./refusal.ts";
import type { EntityAnswer, Offsets } from "./schemas.ts";
import type { ServedModel } from "./served-model.ts";
import { ModelUnavailable, TaggingFailed } from "./tagger.ts";

export interface AppOptions {
  /** Of the program, for the description. */
  readonly version: string;
  readonly models: readonly ServedModel[];
  readonly admission: Admission;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly maxBody: number;
  /** Milliseconds in which a request is answered. */
  readonly timeout: number;
  readonly offsets: Offsets;
  readonly token?: string | undefined;
  /** Names of hosts that requests may be meant for; missing where every name is fine. */
  readonly hosts?: readonly string[] | undefined;
  readonly cors: readonly string[];
  readonly isStopping: () => boolean;
}

type Env = { Bindings: HttpBindings; Variables: { texts?: number; characters?: number } };

/** The routes. Everything that a client sends is checked here, and nothing that it sends reaches a log. */
export function makeApp(options: AppOptions): Hono<Env> {
  const { models, metrics, log } = options;
  const app = new Hono<Env>({ strict: false });
  const byName = new Map(models.map((model) => [model.name, model]));
  const description = JSON.stringify(openApi({ version: options.version, hasToken: options.token !== undefined }));
  const { html, policy } = page();

  app.use(watched(metrics, log, options.isStopping));
  if (options.hosts !== undefined) {
    const guard = hostGuard(options.hosts);
    app.use(async (c, next) => {
      guard(c.req.header("host"));
      await next();
    });
  }
  if (options.cors.length > 0) app.use(cors(corsOptions(options.cors)));

  app.get("/", (c) => c.html(html, 200, { "Content-Security-Policy": policy }));
  app.get("/openapi.json", (c) => c.body(description, 200, { "Content-Type": "application/json" }));
  app.get("/health", (c) => {
    const isReady = models.every((model) => model.ready() > 0);
    const status = options.isStopping() ? "stopping" : isReady ? "ok" : "unavailable";
    return c.json({ status }, status === "ok" ? 200 : 503);
  });

  if (options.token !== undefined) {
    const guard = tokenGuard(options.token);
    app.use(async (c, next) => {
      guard(c.req.header("authorization"));
      await next();
    });
  }
  app.get("/metrics", (c) =>
    c.body(metrics.text(), 200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" }),
  );
  app.get("/models", (c) =>
    c.json(models.map((model) => ({ name: model.name, types: model.types(), workers: model.ready() }))),
  );
  for (const path of ["/", "/tag"]) app.post(path, (c) => tag(c, models[0]!, options));
  app.post("/models/:name/tag", (c) => {
    const model = byName.get(c.req.param("name"));
    if (model === undefined) throw new Refusal(404, `no such model (known: ${[...byName.keys()].join(", ")})`);
    return tag(c, model, options);
  });
  for (const [path, allowed] of methods) {
    app.all(path, () => {
      throw new Refusal(405, `the methods of this path are ${allowed}`, { Allow: allowed });
    });
  }

  app.notFound(() => {
    throw new Refusal(404, "no such path (see /openapi.json)");
  });
  app.onError((error, c) => {
    if (error instanceof Refusal) return c.json({ error: error.message }, error.status, { ...error.headers });
    log.error("a request failed", { error: error.name });
    return c.json({ error: "the server failed; its log says when" }, 500);
  });
  return app;
}

const methods: readonly (readonly [path: string, allowed: string])[] = [
  ["/", "GET, POST"],
  ["/tag", "POST"],
  ["/models/:name/tag", "POST"],
  ["/models", "GET"],
  ["/metrics", "GET"],
  ["/health", "GET"],
  ["/openapi.json", "GET"],
];

async function tag(c: Context<Env>, model: ServedModel, options: AppOptions): Promise<Response> {
  const { incoming, outgoing } = c.env;
  const place = options.admission.enter();
  const controller = new AbortController();
  const goneAway = (): void => controller.abort(new Refusal(400, "the client went away"));
  outgoing.once("close", goneAway);
  const timer = setTimeout(() => {
    options.metrics.refused("time");
    const seconds = options.timeout / 1000;
    controller.abort(new Refusal(503, `not answered within ${seconds} s`, { "Retry-After": "1" }));
  }, options.timeout);
  try {
    const { inputs, parameters = {} } = await readTagRequest(incoming, place, options.maxBody);
    const texts = typeof inputs === "string" ? [inputs] : inputs;
    place.addTexts(texts.length);
    c.set("texts", texts.length);
    c.set(
      "characters",
      texts.reduce((sum, text) => sum + text.length, 0),
    );
    const { offsets = options.offsets, ignore_labels: ignored, minScore, overlap } = parameters;
    const decode = { ...(minScore !== undefined && { minScore }), ...(overlap !== undefined && { overlap }) };
    const answers = await inAny(texts, controller, async (text): Promise<EntityAnswer[]> => {
      return answerOf(await model.tag({ text, decode }, controller.signal), text, offsets, ignored);
    });
    options.metrics.texts(model.name, texts.length, c.get("characters")!);
    return c.json(typeof inputs === "string" ? answers[0]! : answers);
  } catch (error) {
    if (error instanceof ModelUnavailable) {
      options.metrics.refused("model");
      throw new Refusal(503, error.message, { "Retry-After": "2" });
    }
    if (error instanceof TaggingFailed) throw new Refusal(500, error.message);
    throw error;
  } finally {
    clearTimeout(timer);
    outgoing.off("close", goneAway);
    place.leave();
  }
}

/** All answers, in order; when one cannot be had, the others are given up. */
async function inAny<T, R>(
  items: readonly T[],
  controller: AbortController,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  try {
    return await Promise.all(items.map(work));
  } catch (error) {
    controller.abort(error);
    throw error;
  }
}

/** Counts and logs what was answered, by the pattern of its path: what a client calls things is not repeated. */
function watched(metrics: Metrics, log: Log, isStopping: () => boolean) {
  return async (c: Context<Env>, next: () => Promise<void>): Promise<void> => {
    const start = performance.now();
    await next();
    c.header("X-Content-Type-Options", "nosniff");
    c.header("Referrer-Policy", "no-referrer");
    c.header("Cache-Control", "no-store");
    if (isStopping()) c.header("Connection", "close");
    const milliseconds = performance.now() - start;
    const route = routeOf(c.env.incoming);
    metrics.request(route, c.res.status, milliseconds / 1000);
    log.request({
      method: methodOf(c.req.method),
      route,
      status: c.res.status,
      milliseconds: Math.round(100 * milliseconds) / 100,
      texts: c.get("texts"),
      characters: c.get("characters"),
    });
  };
}

function routeOf({ url = "" }: IncomingMessage): string {
  const path = url.split("?")[0]!.replace(/^\/models\/[^/]+\/tag\/?$/, "/models/:name/tag");
  const plain = path.length > 1 ? path.replace(/\/$/, "") : path;
  return methods.some(([known]) => known === plain) ? plain : "other";
}

function methodOf(method: string): string {
  return ["GET", "POST", "HEAD", "OPTIONS"].includes(method) ? method : "other";
}

function corsOptions(origins: readonly string[]) {
  return {
    origin: origins.includes("*") ? "*" : [...origins],
    allowMethods: ["GET", "POST"],
    allowHeaders: ["Content-Type", "Authorization"],
    maxAge: 600,
  };
}
