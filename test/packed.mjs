// The package as its users get it: packed, installed in an empty project, type-checked, imported and run.
// Slow and in need of installable packages, so it is a step of its own beside the tests:  node test/packed.mjs
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "lacuna-packed-"));
const project = join(folder, "project");

function run(title, command, args, options = {}) {
  process.stderr.write(`== ${title}\n`);
  try {
    return execFileSync(command, args, {
      cwd: project,
      stdio: ["ignore", "pipe", "inherit"],
      encoding: "utf8",
      ...options,
    });
  } catch (error) {
    process.stderr.write(error.stdout ?? "");
    throw error;
  }
}

function expect(holds, what) {
  if (!holds) throw new Error(`packed: expected ${what}`);
}

/** A program in strict TypeScript that uses what the package offers, declarations checked too. */
const program = `import { type Document, InputError, methods, readAll, Recogniser, stateOf, train, type TrainSettings, writeDocuments } from "lacuna-ner";
import { tensor } from "lacuna-ner/engine";
import { sparsityOf } from "lacuna-ner/studies";

export const settings: TrainSettings = { method: "uniform", epochs: 1 };

const documents: Document[] = await readAll(["in.conll"], { silence: "negative" });
const [sentence] = documents[0]!.sentences;
console.log(stateOf(sentence!, { start: 1, end: 2 }), methods.uniform.name, sparsityOf([sentence!]).violations);
for (const each of [train, tensor.Program.compile, Recogniser.load]) console.log(typeof each);
await writeDocuments("out.jsonl", documents);
try {
  await readAll(["none.conll"]);
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  console.log(error.message);
}
`;

const tsconfig = {
  compilerOptions: {
    strict: true,
    skipLibCheck: false,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    module: "nodenext",
    target: "es2022",
    lib: ["es2023"],
    types: ["node"],
    typeRoots: [join(root, "node_modules", "@types")],
  },
  files: ["program.mts"],
};

try {
  mkdirSync(project);
  const packed = run("npm pack", "npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root });
  const tarball = join(folder, packed.trim().split("\n").at(-1));
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  const quiet = ["--no-audit", "--no-fund", "--prefer-offline"];
  run("npm install, as the README says", "npm", ["install", "--ignore-scripts", ...quiet, tarball]);
  const installed = (name) => join(project, "node_modules", "lacuna-ner", name);
  for (const name of [
    "README.md",
    "docs/data.md",
    "docs/diagnosis.md",
    "samples/train.conll",
    "dist/index.d.ts",
    "dist/review/page/review.js",
  ]) {
    expect(existsSync(installed(name)), `${name} in the package`);
  }

  writeFileSync(join(project, "in.conll"), "Ada\tB-PER\nleft\tO\n");
  writeFileSync(join(project, "program.mts"), program);
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(tsconfig));
  run("types under strict, with skipLibCheck off", "node", [join(root, "node_modules/typescript/bin/tsc")]);
  const said = run("the program, as an ES module", "node", ["program.mjs"]);
  const expected = `negative uniform 0\n${"function\n".repeat(3)}none.conll: no such file\n`;
  expect(said === expected, `the program's output, got ${said}`);
  expect(readFileSync(join(project, "out.jsonl"), "utf8").startsWith('{"lacuna":1'), "documents to be written");

  const lacuna = (...args) => run(`npx lacuna ${args.join(" ")}`, "npx", ["lacuna", ...args, "--quiet"]);
  expect(/wins back|precision/.test(lacuna("demo", "--epochs", "1", "--out", "demo")), "the demo to print scores");
  const runs = lacuna("experiment", "sample", "--list", "--out", "results");
  expect(runs.includes("to do"), "the sample study to list its runs");
  for (const command of readmeCommands()) run(command, "sh", ["-c", command]);
  writeFileSync(join(project, "readme.mjs"), readmeBlock("ts", "Recogniser.load"));
  run("the README's program", "node", ["readme.mjs"]);

  rmSync(join(project, "node_modules", "onnxruntime-node"), { recursive: true });
  lacuna("check", installed("samples/dev.conll"));
  const broken = spawnSync("npx", ["lacuna", "demo", "--out", "none"], { cwd: project, encoding: "utf8" });
  expect(
    broken.status === 2 && /npm install --ignore-scripts onnxruntime-node@/.test(broken.stderr),
    `a missing engine to be told with its remedy, got ${broken.stderr}`,
  );
  const alone = spawnSync("npx", ["lacuna", "worker", "--queue", "redis://127.0.0.1:1"], {
    cwd: project,
    encoding: "utf8",
  });
  expect(
    alone.status === 2 && /npm install --ignore-scripts bullmq@6\.7 ioredis@5/.test(alone.stderr),
    `missing packages of the queue to be told with their remedy, got ${alone.stderr}`,
  );
  process.stderr.write("== packed: everything works\n");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A code block of the README that holds a text. */
function readmeBlock(language, holding) {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/```(\w+)\n([\s\S]*?)```/g)].filter(([, name]) => name === language);
  return blocks.find(([, , text]) => text.includes(holding))[2];
}

/** The path of the README from a dictionary to tagged text, on the sample that comes with the package. */
function readmeCommands() {
  const sample = (name) => join(project, "node_modules", "lacuna-ner", "samples", name);
  cpSync(sample("dictionary.tsv"), join(project, "names.tsv"));
  cpSync(sample("raw.txt"), join(project, "notes.txt"));
  cpSync(sample("dev.conll"), join(project, "dev.conll"));
  writeFileSync(join(project, "more.txt"), "Ana Lopes moved to Lisbon.\n");
  const lines = readmeBlock("sh", "lacuna label").trim().split("\n");
  return lines.map((line) => line.replace(/\s+#.*$/, ""));
}
