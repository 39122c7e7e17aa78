/** Breaks work on a queue over and over, in every way that is known, and looks at what comes out. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { random } from "../src/util/random.ts";
import { redisMissing, startRedis } from "../test/support/redis.ts";
import { writeInputs } from "./kill-files.ts";
import { mountMissing, type QueuePlace, queueFaults } from "./queue-faults.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: "string", default: "5" }, seed: { type: "string", default: "1" } },
});
if (redisMissing !== undefined) throw new Error(redisMissing);

const folder = mkdtempSync(join(tmpdir(), "lacuna-queue-"));
const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const lacuna = (...args: string[]): Buffer =>
  execFileSync(process.execPath, [program, ...args, "--quiet"], { cwd: folder });
writeInputs(folder, 40_000);
const sizes = ["encoder.units=16", "encoder.wordWidth=16", "head.hidden=16", "batchTokens=64", "rate=0.02"];
const training = ["train", "--train", "small.conll", "--dev", "small.conll", "--out", "model", "--epochs", "4"];
lacuna(...training, ...sizes.flatMap((each) => ["--set", each]));
const text = Array.from({ length: 12_000 }, (_, i) => `Ada met Bob ${i} in Rome today , and Eve lives in Oslo .\n`);
writeFileSync(join(folder, "text.txt"), text.join(""));
lacuna("tag", "--model", "model", "--in", "text.txt", "--out", "expected.jsonl", "--threads", "1");

const redis = await startRedis();
const place: QueuePlace = { program, folder, redis, shardSize: 65_536 };
let failures = 0;
for (const [name, fault] of Object.entries(queueFaults)) {
  if (positionals.length > 0 && !positionals.some((wanted) => name.includes(wanted))) continue;
  if (name.includes("disk") && mountMissing !== undefined) {
    process.stdout.write(`${name}: skipped, ${mountMissing}\n`);
    continue;
  }
  const wanted = Number(values.times);
  let struck = 0;
  // What happens after the end does not count.
  for (let attempt = 0; struck < wanted && attempt < 3 * wanted; attempt++) {
    const outcome = await fault(place, random(Number(values.seed), name, attempt));
    if (outcome.struck) struck++;
    failures += outcome.problems.length;
    for (const problem of outcome.problems) process.stdout.write(`PROBLEM ${name}, attempt ${attempt}: ${problem}\n`);
  }
  process.stdout.write(`${name}: ${struck} times in the middle of the work\n`);
}
await redis.stop();
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`${failures} problems\n`);
process.exitCode = failures > 0 ? 1 : 0;
