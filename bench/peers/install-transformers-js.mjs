// Fetches transformers.js, with which bench/agreement.ts opens exported taggers, into a folder outside the repository.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder } from "./matchers-folder.mjs";

const home = join(folder, "transformers-js");
mkdirSync(home, { recursive: true });
writeFileSync(join(home, "package.json"), '{ "private": true }\n');
// Without scripts: ONNX Runtime for Node brings its libraries with the package.
const flags = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
const packages = ["@huggingface/transformers@4.3.1"];
const { status } = spawnSync("npm", ["install", ...flags, ...packages], { cwd: home, stdio: "inherit" });
process.exitCode = status ?? 1;
