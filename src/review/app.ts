import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import { messageOf } from "../util/errors.ts";
import { own } from "../util/own.ts";
import type { Calls } from "./calls.ts";
import { guard } from "./guard.ts";
import { kinds, statuses, verdicts } from "./model.ts";
import { type PageFiles, servedPage } from "./page-files.ts";
import { BadRequest } from "./session.ts";

const client = z.string().min(1).max(64);
const item = z.int().min(1);
const offset = z.int().min(0);
const filter = z.strictObject({
  kind: z.enum(kinds).optional(),
  type: z.string().max(1000).optional(),
  status: z.enum([...statuses, "decided"]).optional(),
  search: z.string().max(1000).optional(),
});

/** What each call must bring. */
const requests = {
  start: z.strictObject({ client }),
  queue: z.strictObject({ filter, from: offset, count: z.int().min(1).max(500) }),
  card: z.strictObject({ item, filter }),
  step: z.strictObject({
    item: offset,
    filter,
    direction: z.union([z.literal(1), z.literal(-1)]),
    openOnly: z.boolean(),
  }),
  summary: z.strictObject({ client }),
  decide: z.strictObject({
    client,
    item,
    version: offset,
    verdict: z.enum(verdicts),
    type: z.string().min(1).max(1000).optional(),
    start: offset.optional(),
    end: offset.optional(),
    group: z.boolean().optional(),
    filter,
  }),
  undo: z.strictObject({ client, filter }),
  redo: z.strictObject({ client, filter }),
  write: z.strictObject({ finish: z.boolean() }),
} satisfies { readonly [Name in keyof Calls]: z.ZodType<Parameters<Calls[Name]>[0]> };

/** No call needs more. */
const longestBody = 64 * 1024;

/** The page and its calls: `POST /TOKEN/call/NAME` with JSON. */
export function reviewApp(calls: Calls, page: PageFiles, token: string): Hono {
  const app = new Hono();
  app.use("/:token/*", guard(token));
  app.get("/:token/", (context) => context.html(servedPage));
  app.get("/:token/review.js", (context) =>
    context.body(page.script, 200, { "Content-Type": "text/javascript; charset=utf-8" }),
  );
  app.get("/:token/review.css", (context) =>
    context.body(page.style, 200, { "Content-Type": "text/css; charset=utf-8" }),
  );
  app.post(
    "/:token/call/:name",
    bodyLimit({ maxSize: longestBody, onError: (context) => context.json({ error: "the request is too large" }, 413) }),
    async (context) => {
      if (!/^application\/json(;|$)/.test(context.req.header("content-type") ?? ""))
        return context.json({ error: "expected application/json" }, 415);
      const name = context.req.param("name");
      const schema = own<z.ZodType>(requests, name);
      if (schema === undefined) return context.json({ error: "there is no such call" }, 404);
      const parsed = schema.safeParse(await context.req.json().catch(() => undefined));
      if (!parsed.success) return context.json({ error: `bad request: ${parsed.error.issues[0]!.message}` }, 400);
      const call = calls[name as keyof Calls] as (request: unknown) => Promise<unknown>;
      return context.json((await call(parsed.data)) as object | null);
    },
  );
  app.onError((error, context) => context.json({ error: messageOf(error) }, error instanceof BadRequest ? 400 : 500));
  return app;
}
