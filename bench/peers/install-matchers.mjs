// Fetches the npm packages that bench/lexicon.ts is compared with, into a folder outside the repository.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder } from "./matchers-folder.mjs";

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
const packages = ["@monyone/aho-corasick@1.1.11", "modern-ahocorasick@3.3.0"];
const flags = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
const { status } = spawnSync("npm", ["install", ...flags, ...packages], { cwd: folder, stdio: "inherit" });
process.exitCode = status ?? 1;
