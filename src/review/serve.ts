import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { InputError } from "../util/errors.ts";
import { reviewApp } from "./app.ts";
import type { Calls } from "./calls.ts";
import type { PageFiles } from "./page-files.ts";

/** A page that can be opened. */
export interface Served {
  /** With the token, without which nothing is answered. */
  readonly address: string;
  close(): Promise<void>;
}

/** Serves the review on this machine alone. Port 0 is any that is free. */
export async function serveReview(calls: Calls, page: PageFiles, port: number): Promise<Served> {
  const token = randomBytes(18).toString("base64url");
  const server = createAdaptorServer({ fetch: reviewApp(calls, page, token).fetch });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(refusal(error, port)));
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: chosen } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${chosen}/${token}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      }),
  };
}

function refusal(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === "EADDRINUSE") return new InputError(`port ${port} is in use; choose another with --port, or none`);
  if (error.code === "EACCES")
    return new InputError(`port ${port} is not allowed; choose another with --port, or none`);
  return error;
}
