import { createHash, timingSafeEqual } from "node:crypto";
import { Refusal } from "./refusal.ts";

/** Refuses requests that do not carry the token; comparing takes the same time whatever they carry. */
export function tokenGuard(token: string): (authorization: string | undefined) => void {
  const expected = digest(token);
  return (authorization = "") => {
    const given = /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "";
    if (!timingSafeEqual(digest(given), expected))
      throw new Refusal(401, "send the token of the server: Authorization: Bearer …", {
        "WWW-Authenticate": 'Bearer realm="lacuna"',
      });
  };
}

const loopback = new Set(["localhost", "127.0.0.1", "[::1]", "::1"]);

export function isLoopback(host: string): boolean {
  return loopback.has(host.toLowerCase()) || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * Refuses requests to a loopback server that are meant for another host: a page on the internet whose name suddenly
 * points to this machine must not be able to read from it.
 */
export function hostGuard(allowed: readonly string[]): (host: string | undefined) => void {
  const names = new Set(allowed.map((name) => name.toLowerCase()));
  return (host = "") => {
    const name = host.toLowerCase().replace(/:\d*$/, "");
    if (!isLoopback(name) && !names.has(name))
      throw new Refusal(421, "this server answers requests to localhost only (--allow-host adds names)");
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
