import { timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";

/** What a browser may do with the page: run its own script and style, and talk to where it came from. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const headers: Readonly<Record<string, string>> = {
  "Content-Security-Policy": policy,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};

/**
 * Lets pass what comes from the page alone. The token in the path keeps out other users and other pages; the names of
 * host and origin keep out pages whose name was pointed at this machine after they were loaded.
 */
export function guard(token: string): MiddlewareHandler {
  return async (context, next) => {
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    const host = context.req.header("host") ?? "";
    const origin = context.req.header("origin");
    const site = context.req.header("sec-fetch-site") ?? "none";
    const isLocal = /^(127\.0\.0\.1|localhost)(:\d{1,5})?$/.test(host);
    const isOwn = origin === undefined || origin === `http://${host}`;
    const isDirect = site === "none" || site === "same-origin";
    if (!isLocal || !isOwn || !isDirect) return context.text("forbidden: this page answers to itself only", 403);
    if (!isEqual(context.req.param("token") ?? "", token)) return context.text("not found", 404);
    return next();
  };
}

/** Takes as long for a wrong token as for a nearly right one. */
function isEqual(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
