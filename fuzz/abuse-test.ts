/** Hostile requests, slow clients and thousands of connections for a real server, beside honest clients that must not notice. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { messageOf } from "../src/util/errors.ts";
import { inParallel } from "../src/util/parallel.ts";
import { crowd } from "./crowd.ts";
import { hostileRequest } from "./hostile-request.ts";
import { inputAt } from "./inputs.ts";
import { judge } from "./judge.ts";
import type { Target } from "./target.ts";
import { trained } from "./targets/models.ts";
import { assertProperAnswer, serveSeeds } from "./targets/serve.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    connections: { type: "string", default: "10000" },
    slow: { type: "string", default: "100" },
    clients: { type: "string", default: "32" },
    seed: { type: "string", default: "1" },
  },
});

const scratch = mkdtempSync(join(tmpdir(), "lacuna-abuse-"));
const model = await trained(scratch, "bilstm");
const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const child = spawn(
  process.execPath,
  [program, "serve", "--model", `model=${model}`, "--port", "0", "--threads", "1", "--timeout", "10", "--quiet"],
  { stdio: ["ignore", "pipe", "inherit"] },
);
const url = await new Promise<string>((resolve) => child.stdout!.once("data", (line) => resolve(String(line).trim())));
const port = Number(new URL(url).port);
process.once("exit", () => child.kill("SIGKILL"));
let ending: string | undefined;
child.on("close", (code, signal) => {
  ending = `${signal ?? code}`;
});
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
/** Megabytes by which a process may grow in the second half: collectors do not work to the byte. */
const mostGrowth = 64;
const started = Date.now();
const problems: string[] = [];

// Warm first: what a server takes once is no leak.
const requests = Number(values.requests);
const warm = Math.min(5000, requests);
await abuse(0, warm);
const before = residents(child);
const others = await crowd(port, Number(values.connections), Number(values.slow));
const honest = honestClient();
const half = Math.round((warm + requests) / 2);
await abuse(warm, half);
const [middle, there] = [residents(child), others.count()];
await abuse(half, requests);
const [end, stayed] = [residents(child), others.count()];
const asked = await honest.stop();
others.leave();
await new Promise((resolve) => setTimeout(resolve, 2000));
const after = residents(child);
const grown = end.map((megabytes, i) => megabytes - middle[i]!);
if (grown.some((megabytes) => megabytes > mostGrowth)) problems.push(`memory grew by ${grown.join(" + ")} MB`);
const queue = /^lacuna_queue_(?:texts|bytes) (\d+)$/gm;
const left = [...(await (await fetch(new URL("/metrics", url))).text()).matchAll(queue)].map(([, value]) =>
  Number(value),
);
if (left.some((value) => value !== 0)) problems.push(`the queue is not empty: ${left.join(", ")}`);
child.kill("SIGTERM");
await new Promise((resolve) => child.once("close", resolve));
if (ending !== "0") problems.push(`the server ended with ${ending}`);
rmSync(scratch, { recursive: true, force: true });
say(
  `${requests} hostile requests with seed ${values.seed} in ${((Date.now() - started) / 60_000).toFixed(1)} minutes, ` +
    `beside ${there.open} to ${stayed.open} open connections (${stayed.opened} were opened) and ${asked.count} honest requests ` +
    `(${asked.turnedAway} were told to come again); ` +
    `MB of server and worker ${before.join(" + ")} before, ${middle.join(" + ")} halfway, ${end.join(" + ")} at the end, ` +
    `${after.join(" + ")} without the connections; ${problems.length} problems`,
);
for (const problem of problems.slice(0, 20)) say(`PROBLEM ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
process.exit();

/** Sends the inputs with these numbers. */
async function abuse(first: number, end: number): Promise<void> {
  const clients = Number(values.clients);
  const agents = Array.from({ length: clients }, () => new Agent({ keepAlive: true }));
  const target: Target = {
    name: "serve",
    shape: "json",
    seeds: async () => serveSeeds,
    async run(input, _, variant) {
      const agent = agents[variant % clients]!;
      assertProperAnswer(await hostileRequest(port, input, variant, agent), input);
    },
  };
  const numbers = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  const counts = { accepted: 0, refused: 0, defect: 0 };
  await inParallel(numbers, clients, async (number) => {
    const { bytes, variant } = inputAt(serveSeeds, target, Number(values.seed), number);
    const verdict = await judge(target, bytes, "", variant);
    counts[verdict.kind]++;
    if (verdict.kind === "defect") problems.push(`input ${number}: ${verdict.signature}`);
    if (ending !== undefined) throw new Error(`the server ended with ${ending} near input ${number}`);
    if (number % 10_000 === 9999) say(`${number + 1} requests, ${residents(child).join(" + ")} MB`);
  });
  for (const agent of agents) agent.destroy();
  say(`${numbers.length} requests: ${counts.accepted} accepted, ${counts.refused} refused, ${counts.defect} defects`);
}

/** A client that asks for texts of its own, one after the other, and looks whether the answer is for them. */
function honestClient() {
  let [isOver, count, turnedAway] = [false, 0, 0];
  const ask = async (): Promise<void> => {
    const texts = Array.from({ length: 1 + (count % 3) }, (_, i) => `Ana${count}x${i} lives in Oslo${count}x${i} .`);
    const response = await fetch(new URL("/tag", url), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ inputs: texts, parameters: { overlap: "all" } }),
    });
    const answers = (await response.json()) as { word: string; start: number; end: number }[][];
    if (response.headers.has("retry-after")) {
      turnedAway++;
      return;
    }
    const isOwn = answers.every((each, i) =>
      each.every(({ word, start, end }) => texts[i]!.slice(start, end) === word),
    );
    if (response.status !== 200 || answers.length !== texts.length || !isOwn)
      problems.push(`an honest client was answered ${response.status} ${JSON.stringify(answers).slice(0, 200)}`);
  };
  const done = (async () => {
    for (; !isOver; count++)
      await ask().catch((error: unknown) => problems.push(`an honest client was not answered: ${messageOf(error)}`));
  })();
  return {
    async stop() {
      isOver = true;
      await done;
      return { count, turnedAway };
    },
  };
}

/** Megabytes of a process and of its children, where the system tells. */
function residents({ pid }: ChildProcess): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
    return [String(pid), ...children].map((each) => {
      const pages = Number(readFileSync(`/proc/${each}/statm`, "utf8").split(" ")[1]);
      return Math.round((4096 * pages) / 1e6);
    });
  } catch {
    return [];
  }
}
