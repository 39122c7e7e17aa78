import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { visible } from "../src/util/visible.ts";
import { type Campaign, type Finding, runSlice } from "./campaign.ts";
import { targetNames, targets } from "./targets/index.ts";

const usage = `npm run fuzz -- [target…] [--seconds N | --inputs N] [--seed N] [--first N] [--out DIR]

Hands changed inputs to everything that reads files, and looks for raw errors, hangs (2 s), growth (500 MB) and results
that do not survive writing and reading. The same seed gives the same inputs. What fails is written to DIR, made small.
Targets: ${targetNames().join(", ")}`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string" },
    inputs: { type: "string" },
    seed: { type: "string", default: "1" },
    first: { type: "string", default: "0" },
    out: { type: "string", default: "build/fuzz/found" },
    help: { type: "boolean", default: false },
  },
});

const unknown = positionals.find((name) => !targetNames().includes(name));
if (values.help || unknown !== undefined) {
  process.stderr.write(`${unknown === undefined ? "" : `unknown target ${unknown}\n`}${usage}\n`);
  process.exit(unknown === undefined ? 0 : 2);
}

const chosen = targets.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const seconds = Number(values.seconds ?? (values.inputs === undefined ? 60 : Number.POSITIVE_INFINITY));
const inputs = Number(values.inputs ?? Number.POSITIVE_INFINITY);
const scratch = mkdtempSync(join(tmpdir(), "lacuna-fuzz-"));
const findings: Finding[] = [];
const campaign: Campaign = {
  seed: Number(values.seed),
  scratch: join(scratch, "work"),
  limits: { time: 2000, memory: 500e6 },
  found(finding) {
    if (findings.some(({ target, signature }) => target === finding.target && signature === finding.signature)) return;
    findings.push(finding);
    const name = keep(finding);
    process.stdout.write(
      `DEFECT ${finding.target}: ${visible(finding.signature)}\n       input ${finding.number}: ${name}\n`,
    );
  },
};

const started = Date.now();
const total = { inputs: 0, accepted: 0, refused: 0 };
const weights = chosen.reduce((sum, { weight = 1 }) => sum + weight, 0);
for (const [index, { name, weight = 1 }] of chosen.entries()) {
  const left = 1000 * seconds - (Date.now() - started);
  const milliseconds = Number.isFinite(seconds) ? Math.max(500, left / (chosen.length - index)) : 1e12;
  const first = Number(values.first);
  const count = Math.ceil((inputs * weight) / weights);
  const end = Number.isFinite(count) ? first + count : Number.MAX_SAFE_INTEGER;
  const began = Date.now();
  const { next, accepted, refused, suspected } = await runSlice({ target: name, first, end, milliseconds }, campaign);
  const done = next - first;
  total.inputs += done;
  total.accepted += accepted;
  total.refused += refused;
  const rate = Math.round((1000 * done) / (Date.now() - began + 1));
  process.stdout.write(
    `${name.padEnd(20)} ${done} inputs, ${accepted} accepted, ${refused} refused, ${suspected} looked at alone, ${rate} a second\n`,
  );
}
rmSync(scratch, { recursive: true, force: true });
const minutes = ((Date.now() - started) / 60_000).toFixed(1);
process.stdout.write(
  `${total.inputs} inputs in ${minutes} minutes with seed ${campaign.seed}: ${total.accepted} accepted, ${total.refused} refused, ${findings.length} defects\n`,
);
process.exitCode = findings.length > 0 ? 1 : 0;

/** Keeps an input that fails, with what it does; returns where. */
function keep({ target, signature, report, number, input, variant }: Finding): string {
  mkdirSync(values.out, { recursive: true });
  const name = join(values.out, `${target}-${createHash("sha256").update(signature).digest("hex").slice(0, 8)}`);
  writeFileSync(`${name}.input`, input);
  const again = `npm run fuzz -- ${target} --seed ${campaign.seed} --first ${number} --inputs 1`;
  writeFileSync(`${name}.txt`, `${signature}\nvariant ${variant}\nagain: ${again}\n\n${report}\n`);
  return `${name}.input`;
}
