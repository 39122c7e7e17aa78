import { basename, resolve } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { isLoopback, jsonLog, offsetNames, type ServeOptions, serveDefaults, startServer } from "../serve/index.ts";
import { InputError, unknownName } from "../util/errors.ts";
import { packageVersion } from "../util/version.ts";
import type { CommandContext, RegisterCommand } from "./command.ts";
import { collect, partOption, required, wholeNumber } from "./options.ts";
import { print, warn } from "./output.ts";

interface ServeFlags {
  readonly model: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  readonly threads?: number;
  readonly batchWait: number;
  readonly maxQueue: number;
  readonly maxBody: number;
  readonly timeout: number;
  readonly offsets: ServeOptions["offsets"];
  readonly token?: string;
  readonly cors: readonly string[];
  readonly allowHost: readonly string[];
  readonly part?: Readonly<Record<string, string>>;
  readonly quiet?: boolean;
}

const help = `
POST / or /tag with {"inputs": TEXT or a list of texts} answers [{"entity_group", "score", "word", "start", "end"}], as the
token-classification task of Hugging Face does. GET / is a page to try it on; /health, /metrics and /openapi.json are
there too. SIGTERM ends the server when it has answered what it took, a second one at once; SIGHUP opens the models anew.

Examples:
  $ lacuna serve --model model
  $ lacuna serve --model news=models/news --model law=models/law --port 9000
  $ lacuna serve --model news=models/news --model law=models/law --part news:charlm=models/flair
  $ curl -H 'Content-Type: application/json' -d '{"inputs":"Ana Lopes moved to Lisbon."}' http://127.0.0.1:8080/`;

export const serve: RegisterCommand = (program, context) => {
  program
    .command("serve")
    .description("Answer requests over HTTP with trained models")
    .addOption(required("--model <[name=]dir>", "a model directory; may be given several times").argParser(collect))
    .option("--host <address>", "where to listen", serveDefaults.host)
    .option("--port <n>", "port; 0 takes any that is free", port, serveDefaults.port)
    .option(
      "--workers <n>",
      "processes for each model; 0 puts it into the server's own",
      wholeNumber,
      serveDefaults.workers,
    )
    .option("--threads <n>", "threads of each worker (default: the cores shared among the workers)", positive)
    .option("--batch-wait <ms>", "how long a text waits for others", wholeNumber, serveDefaults.batchWait)
    .option("--max-queue <n>", "texts that wait at most; more are refused with 429", positive, serveDefaults.maxQueue)
    .option("--max-body <bytes>", "largest body; a larger one is refused with 413", positive, serveDefaults.maxBody)
    .option(
      "--timeout <seconds>",
      "for sending a request, and for answering it",
      positive,
      serveDefaults.timeout / 1000,
    )
    .addOption(
      new Option("--offsets <unit>", "what start and end count, unless a request says")
        .choices(offsetNames)
        .default(serveDefaults.offsets),
    )
    .addOption(new Option("--token <text>", "clients must send it (Authorization: Bearer)").env("LACUNA_TOKEN"))
    .option("--cors <origin>", "pages of this origin may ask; may be given several times", collect, [])
    .option("--allow-host <name>", "a name that a loopback server may be called by", collect, [])
    .addOption(partOption())
    .option("--quiet", "do not log requests")
    .addHelpText("after", help)
    .action((flags: ServeFlags) => run(flags, context));
};

async function run(flags: ServeFlags, { signal, endsByStop }: CommandContext): Promise<void> {
  const { model, part, timeout, allowHost, quiet, token, ...rest } = flags;
  if (token === "") throw new InputError("--token is empty; give a text, or leave it away");
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new InputError("--token must be of visible ASCII characters, without spaces");
  const log = jsonLog((line) => process.stderr.write(line), { quiet });
  const models = modelsByName(model);
  if (!isLoopback(flags.host) && token === undefined)
    warn(`--host ${flags.host}: whoever reaches this address can use the server; --token asks them for a token`);
  endsByStop();
  const server = await startServer({
    ...serveDefaults,
    ...rest,
    version: packageVersion(),
    models,
    parts: partsByModel(part ?? {}, [...models.keys()]),
    timeout: 1000 * timeout,
    allowHosts: allowHost,
    token,
    log,
  });
  const reload = (): void => {
    server.reload();
  };
  process.on("SIGHUP", reload);
  print(server.url);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  process.off("SIGHUP", reload);
  await server.stop();
}

/** `NAME=DIR`, or `DIR` under its own name. */
function modelsByName(given: readonly string[]): ReadonlyMap<string, string> {
  const models = new Map<string, string>();
  for (const text of given) {
    const [, name, directory] = /^([\w.-]+)=(.+)$/s.exec(text) ?? [undefined, nameOf(text), text];
    if (models.has(name!)) throw new InputError(`--model: two models are called "${name}"; name them: NAME=DIR`);
    models.set(name!, directory!);
  }
  return models;
}

/** `PART=DIR` for all models, or `MODEL:PART=DIR` for one of them. */
function partsByModel(
  given: Readonly<Record<string, string>>,
  models: readonly string[],
): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const parts = new Map(models.map((model) => [model, {} as Record<string, string>]));
  for (const [name, directory] of Object.entries(given)) {
    const [, model, part] = /^([\w.-]+):(.+)$/s.exec(name) ?? [undefined, undefined, name];
    if (model !== undefined && !parts.has(model))
      throw new InputError(`--part: there is no model ${unknownName(model, models)}`);
    for (const each of model === undefined ? models : [model]) parts.get(each)![part!] = directory;
  }
  return parts;
}

function nameOf(directory: string): string {
  return basename(resolve(directory)).replaceAll(/[^\w.-]+/g, "-") || "model";
}

function port(text: string): number {
  const value = wholeNumber(text);
  if (value > 65_535) throw new InvalidArgumentError("Expected a port from 0 to 65535.");
  return value;
}

function positive(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError("Expected a whole number from 1.");
  return value;
}
