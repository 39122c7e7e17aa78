import { Agent } from "node:http";
import { jsonLog, type RunningServer, serveDefaults, startServer } from "../../src/serve/index.ts";
import { InputError } from "../../src/util/errors.ts";
import { type HostileAnswer, hostileRequest } from "../hostile-request.ts";
import { ensure, type Target } from "../target.ts";
import { trained } from "./models.ts";

let running: Promise<RunningServer> | undefined;
const agent = new Agent({ keepAlive: true });

/** A server in this process, started once; it does not keep the process from ending. */
function server(scratch: string): Promise<RunningServer> {
  running ??= trained(scratch, "bilstm").then(async (model) => {
    const started = await startServer({
      ...serveDefaults,
      version: "0",
      models: new Map([["model", model]]),
      port: 0,
      workers: 0,
      threads: 1,
      batchWait: 0,
      maxBody: 1 << 18,
      log: jsonLog(() => {}),
    });
    started.unref();
    process.once("disconnect", () => agent.destroy());
    return started;
  });
  return running;
}

export const serveSeeds: readonly Buffer[] = [
  { inputs: "Ana lives in Oslo." },
  { inputs: ["Ana lives in Oslo.", "", "Bob 😀"], parameters: { minScore: 0.25, overlap: "nested" } },
  { inputs: "Bob lives in Rome. ".repeat(20), parameters: { offsets: "code-points", ignore_labels: ["PER"] } },
].map((body) => Buffer.from(JSON.stringify(body)));

/** Every request is answered or refused by the rules, and no answer speaks of the machine. */
export function assertProperAnswer({ status, headers, body }: HostileAnswer, input: Buffer): void {
  if (status === undefined || body === "") throw new InputError("hung up");
  // A text that takes longer than the server may take is given up, and the client told to come again.
  ensure(status < 500 || (status === 503 && headers["retry-after"] !== undefined), `serve: status ${status}`);
  ensure(!/node_modules|\/tmp\/|\.[jt]s:\d| at .*\(/.test(body), "serve: an answer that speaks of the machine");
  if (!(headers["content-type"] ?? "").startsWith("application/json")) return;
  const json = JSON.parse(body);
  if (status >= 400) {
    ensure(typeof json.error === "string" && !body.includes("\n"), "serve: a refusal without its one line");
    throw new InputError(json.error);
  }
  if (!Array.isArray(json)) return;
  const sent = input.toString("utf8");
  for (const { word, start, end } of json.flat()) {
    ensure(start < end, "serve: an entity of no characters");
    // Every word stands in the request, but for the ways in which JSON writes it.
    ensure(
      /[\\\ufffd]/.test(sent) || sent.includes(JSON.stringify(word).slice(1, -1)),
      "serve: a word of someone else",
    );
  }
}

export const serveTargets: readonly Target[] = [
  {
    name: "serve",
    shape: "json",
    weight: 0.5,
    seeds: async () => serveSeeds,
    async run(input, scratch, variant) {
      const { port } = await server(scratch);
      assertProperAnswer(await hostileRequest(port, input, variant, agent), input);
    },
  },
];
