import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { appendFile, cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseAudit } from "../src/audit/index.ts";
import { readAll } from "../src/formats/index.ts";
import { characters } from "../src/text/index.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(root, "dist/cli/main.js");
let page: string;
let folder: string;

beforeAll(async () => {
  page = await readFile(join(root, "docs/tutorial.md"), "utf8");
  folder = await mkdtemp(join(tmpdir(), "lacuna-tutorial-"));
  await cp(join(root, "samples"), join(folder, "samples"), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function shell(line: string): Promise<string> {
  const command = `${line.replaceAll("npx lacuna", `node ${program}`)} 2>&1`;
  return (await promisify(execFile)("sh", ["-c", command], { cwd: folder, maxBuffer: 2 ** 24 })).stdout;
}

/** The commands of the page by their verb, each as it stands there. */
function command(verb: string, nth = 0): string {
  return [...page.matchAll(new RegExp(`^(?:\\$ )?(.*npx lacuna ${verb} .*)$`, "gm"))][nth]![1]!;
}

function f1Of(said: string): number {
  return Number(/best on dev .* F1 ([\d.]+) %/.exec(said)![1]);
}

/** Starts the review, so that the decisions file is there, and ends it as Ctrl-C does. */
async function openReview(): Promise<string> {
  const args = command("review").split(" ").slice(3);
  const child = spawn("node", [program, "review", ...args, "--no-open"], { cwd: folder });
  const ended = once(child, "exit");
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data) => {
      said += String(data);
    });
  while (!/http:\/\/127\.0\.0\.1/.test(said)) await new Promise((resolve) => setTimeout(resolve, 50));
  child.kill("SIGINT");
  await ended;
  return join(folder, "reviewed.jsonl.decisions.jsonl");
}

/** Decides the first surfaces of an audit as the human labels say. */
async function decide(decisions: string, surfaces: number): Promise<void> {
  const gold = await readAll([join(folder, "samples/train.conll")]);
  const right = gold.map(
    ({ sentences }) =>
      new Set(
        sentences.flatMap((sentence) =>
          sentence.entities.map((entity) => {
            const { start, end } = characters(sentence, entity);
            return `${start} ${end} ${entity.type}`;
          }),
        ),
      ),
  );
  const file = join(folder, "audit.jsonl");
  const suspicions = parseAudit(await readFile(file, "utf8"), file);
  const groups = new Set(suspicions.map(({ group }) => group));
  const chosen = new Set([...groups].slice(0, surfaces));
  const lines = suspicions.flatMap(({ group, kind, document, start, end, type }, i) => {
    if (!chosen.has(group)) return [];
    const isThere = right[Number(document) - 1]!.has(`${start} ${end} ${type}`);
    return [{ verdict: isThere === (kind !== "wrong") ? "accept" : "reject", items: [i + 1] }];
  });
  const signed = lines.map((line, i) => ({
    sequence: i + 1,
    time: "2026-01-01T00:00:00.000Z",
    client: "test",
    ...line,
  }));
  await appendFile(decisions, signed.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

it("leads from a dictionary to a better, served model, with the output that it shows", {
  timeout: 600_000,
}, async () => {
  const said: string[] = [];
  for (const [, line, shown] of page.matchAll(/```console\n\$ (.*)\n([\s\S]*?)```/g)) {
    const output = await shell(line!);
    said.push(output);
    for (const wanted of shown!.trim().split("\n")) {
      // Scores of trainings may differ a little on another processor.
      if (wanted !== "…" && !wanted.includes(" F1 ")) expect(output.split("\n")).toContain(wanted);
    }
  }
  const first = f1Of(said[2]!);
  expect(Math.abs(first - Number(/first: .* F1 ([\d.]+) %/.exec(page)![1]))).toBeLessThan(4);
  const decisions = await openReview();
  await decide(decisions, 300);
  await shell(`${command("review")} --decisions ${decisions}`);
  expect(f1Of(await shell(command("train", 1)))).toBeGreaterThan(first + 2);
  expect(await shell(command("evaluate"))).toMatch(/F1/);
  expect((await shell(command("tag"))).replaceAll(/\[(.*?)\]\(\w+\)/g, "$1")).toContain("Maria Keller, a baker");
  const server = spawn("node", [program, ...command("serve").split(" ").slice(2), "--port", "0"], { cwd: folder });
  try {
    let heard = "";
    server.stderr.on("data", (data) => {
      heard += String(data);
    });
    server.stdout.on("data", (data) => {
      heard += String(data);
    });
    while (!/http:\/\/127\.0\.0\.1:\d+/.test(heard)) await new Promise((resolve) => setTimeout(resolve, 50));
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(heard)![0];
    const [, body] = /-d '(.*)'/.exec(page)!;
    const answer = await fetch(`${address}/tag`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: body!,
    });
    expect(answer.status).toBe(200);
    for (const entity of (await answer.json()) as object[])
      expect(Object.keys(entity).sort()).toEqual(["end", "entity_group", "score", "start", "word"]);
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
  }
  expect(existsSync(join(folder, "second/config.json"))).toBe(true);
});
