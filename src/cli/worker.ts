import { createServer } from "node:http";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { drainWorkers, metricsText, queueAddress, startWorker } from "../queue/index.ts";
import { jsonLog } from "../serve/index.ts";
import { InputError } from "../util/errors.ts";
import type { CommandContext, RegisterCommand } from "./command.ts";
import { collect, countingNumber, required, wholeNumber } from "./options.ts";
import { note } from "./output.ts";
import { size } from "./sharding.ts";
import { plural } from "./watch.ts";

interface WorkerFlags {
  readonly queue: string;
  readonly name?: string;
  readonly allow?: readonly string[];
  readonly slots?: number;
  readonly threads: number;
  readonly memory?: number;
  readonly lease: number;
  readonly host: string;
  readonly port?: number;
  readonly drain?: boolean;
  readonly quiet?: boolean;
}

const help = `
Does what tag, label, experiment and audit put on a queue with --queue. The queue is a Redis server; files are read and written
by the paths of the command, so the folders are shared between the machines. SIGTERM gives back what the worker is doing and
ends it; --drain lets it finish first. A worker that dies loses nothing: its jobs go to others. docs/scale.md tells more.

The password of the queue may stand in the environment, as LACUNA_QUEUE_PASSWORD, instead of in the address.

Examples:
  $ lacuna worker --queue redis://queue:6379 --allow /data
  $ lacuna worker --queue rediss://lacuna@queue:6380 --allow /data --slots 4 --port 9100
  $ lacuna worker --queue redis://queue:6379 --drain`;

export const worker: RegisterCommand = (program, stop) => {
  program
    .command("worker")
    .description("Do the work of other commands that comes over a queue")
    .addOption(required("--queue <url>", "the queue: redis://HOST:PORT, or rediss:// (TLS)"))
    .option("--name <name>", "how the worker is called (default: host and process)")
    .option(
      "--allow <dir>",
      "a folder in which jobs may read and write; may be given several times (default: .)",
      collect,
    )
    .option("--slots <n>", "jobs at a time (default: by cores and memory)", countingNumber)
    .option("--threads <n>", "threads of each job", countingNumber, 1)
    .option("--memory <size>", "what all jobs may take together, such as 16GB (default: 80 % of what is free)", size)
    .option("--lease <seconds>", "silence after which a worker's jobs go to others", countingNumber, 30)
    .option("--port <n>", "answer GET /metrics there; 0 takes any port that is free", wholeNumber)
    .option("--host <address>", "where to listen for /metrics", "127.0.0.1")
    .option("--drain", "ask the worker called --name, or all, to finish their jobs and end")
    .option("--quiet", "log warnings and errors only")
    .addHelpText("after", help)
    .action((flags: WorkerFlags) => run(flags, stop));
};

async function run(flags: WorkerFlags, stop: CommandContext): Promise<void> {
  const address = queueAddress(flags.queue, process.env.LACUNA_QUEUE_PASSWORD);
  if (flags.drain) {
    const asked = await drainWorkers(address, flags.name);
    note(`asked ${plural(asked.length, "worker")} to finish and end${asked.length > 0 ? `: ${asked.join(", ")}` : ""}`);
    return;
  }
  const { name = `${hostname()}-${process.pid}`, threads, slots, lease, quiet } = flags;
  if (!/^[\w.@-]{1,100}$/.test(name))
    throw new InputError("worker: --name must consist of letters, digits, dots, hyphens and underscores");
  const allowed = (flags.allow ?? ["."]).map((folder) => resolve(folder));
  const json = jsonLog((line) => process.stderr.write(line));
  const memory = flags.memory ?? Math.floor(0.8 * freeMemory());
  stop.endsByStop();
  const running = await startWorker(address, {
    name,
    allowed,
    threads,
    slots,
    memory,
    lease,
    log(level, message, fields) {
      if (!quiet || level !== "info") json[level](message, fields as Record<string, string>);
    },
  });
  if (!quiet) json.info("taking jobs", { name, queue: address.shown, allow: allowed.join(", ") });
  const server =
    flags.port === undefined
      ? undefined
      : await serveMetrics(flags, name, running, (url) => json.info("listening", { url }));
  stop.signal.addEventListener("abort", () => running.stop(), { once: true });
  if (stop.signal.aborted) running.stop();
  await running.ended;
  server?.close();
  if (!quiet) json.info("ended");
}

function freeMemory(): number {
  const { availableMemory } = process as { availableMemory?: () => number };
  return availableMemory?.call(process) ?? 4 * 2 ** 30;
}

async function serveMetrics(
  { host, port }: WorkerFlags,
  name: string,
  { tally, queue }: Awaited<ReturnType<typeof startWorker>>,
  tell: (url: string) => void,
) {
  const server = createServer(async (request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    const counts = await queue().catch(() => ({}));
    response.writeHead(200, { "Content-Type": "text/plain; version=0.0.4" }).end(metricsText(name, tally(), counts));
  });
  await new Promise<void>((done, fail) => {
    server.once("error", (error) => fail(new InputError(`worker: ${host}:${port}: ${error.message}`)));
    server.listen(port, host, done);
  });
  tell(`http://${host}:${(server.address() as { port: number }).port}/metrics`);
  return server;
}
