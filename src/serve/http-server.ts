import type { Server } from "node:http";
import { type AddressInfo, Server as NetServer } from "node:net";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { InputError, messageOf } from "../util/errors.ts";

/** A server whose clients cannot be slow without end, and that can end without hanging up on anybody. */
export interface HttpServer {
  connections(): number;
  /** Resolves with the port. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no more connections, and resolves when those that are there are closed. */
  drain(): Promise<void>;
  /** Lets the process end though the server listens. */
  unref(): void;
}

const mostConnections = 16_384;
/** Connections that the system holds until the server takes them. */
const mostWaiting = 4096;
/** Milliseconds after which a connection without a request is closed; while stopping, how long one may still come on it. */
const idle = { usually: 30_000, stopping: 400 } as const;
const slowestHead = 15_000;
const largestHead = 1 << 14;

type Answer = (request: Request, env: HttpBindings) => Response | Promise<Response>;

/** `timeout`: milliseconds in which a request has to be sent, and in which it is answered. */
export function httpServer(fetch: Answer, timeout: number): HttpServer {
  const server = createAdaptorServer({
    fetch: (request, env) => fetch(request, env as HttpBindings),
    overrideGlobalObjects: false,
    serverOptions: {
      headersTimeout: Math.min(timeout, slowestHead),
      requestTimeout: timeout,
      keepAliveTimeout: idle.usually,
      connectionsCheckingInterval: Math.min(1000, timeout / 2),
      maxHeaderSize: largestHead,
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
  return {
    connections: () => connections,
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once("error", (error) => reject(new InputError(`${host}:${port}: ${reasonOf(error)}`)));
        server.listen({ port, host, backlog: mostWaiting }, () => resolve((server.address() as AddressInfo).port));
      }),
    async drain() {
      const closed = new Promise<void>((resolve) => {
        // Not `server.close()`, which hangs up at once on clients whose next request is already on its way.
        NetServer.prototype.close.call(server, () => resolve());
      });
      const hangUp = setInterval(() => server.closeIdleConnections(), idle.stopping);
      const late = setTimeout(() => server.closeAllConnections(), timeout + 5000);
      await closed;
      clearInterval(hangUp);
      clearTimeout(late);
    },
    unref() {
      server.unref();
    },
  };
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there; give another --port",
  EACCES: "no permission to listen there; give a --port from 1024",
  EADDRNOTAVAIL: "this machine has no such address; give another --host",
  ENOTFOUND: "no such host; give another --host",
};

function reasonOf(error: NodeJS.ErrnoException): string {
  return reasons[error.code ?? ""] ?? messageOf(error);
}
