import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Why there is no Redis to test with; nothing where there is one. */
export const redisMissing: string | undefined = (() => {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "redis-server is not installed here";
  }
})();

/** A server of our own that keeps every write on disk. */
export interface TestRedis {
  readonly port: number;
  readonly url: string;
  readonly folder: string;
  /** Kills it and starts it anew on what it has kept. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server on a free port, in a folder of its own; `settings` are those of a redis.conf, as arguments. */
export async function startRedis(settings: readonly string[] = []): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-redis-"));
  const port = await freePort();
  const persistence = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
  const start = async (): Promise<ChildProcess> => {
    const usual = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, ...persistence];
    const child = spawn("redis-server", [...usual, ...settings], { stdio: "ignore" });
    await answering(settings.includes("--tls-port") ? Number(settings[settings.indexOf("--tls-port") + 1]) : port);
    return child;
  };
  let server = await start();
  const kill = async (): Promise<void> => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill("SIGKILL");
      await once(server, "close");
    }
  };
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    folder,
    async restart() {
      await kill();
      server = await start();
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

async function answering(port: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const socket = connect(port, "127.0.0.1");
    const opened = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    socket.destroy();
    if (opened) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("redis-server does not answer");
}
