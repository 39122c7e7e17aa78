// Without arguments: prints the npm packages that are installed, as JSON. With the name of one, a file of surfaces and a
// file of lines (both JSON lists): builds, scans three times, and prints the seconds of building and the best MB per second of a core.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { folder } from "./matchers-folder.mjs";

/** Each entry point of each package that finds all matches or the longest ones. */
const peers = {
  "@monyone/aho-corasick": ["@monyone/aho-corasick/dist/index.mjs", "AhoCorasick", "matchInText"],
  "@monyone/aho-corasick/fast": ["@monyone/aho-corasick/dist/fast.mjs", "AhoCorasick", "matchInText"],
  "modern-ahocorasick": ["modern-ahocorasick/dist/index.js", "default", "search"],
  "modern-ahocorasick/fast": ["modern-ahocorasick/dist/fast.js", "default", "search"],
};

const fileOf = (name) => join(folder, "node_modules", peers[name][0]);
const [name, surfacesFile, linesFile] = process.argv.slice(2);

if (name === undefined) {
  process.stdout.write(JSON.stringify(Object.keys(peers).filter((peer) => existsSync(fileOf(peer)))));
} else {
  const surfaces = JSON.parse(readFileSync(surfacesFile, "utf8"));
  const lines = JSON.parse(readFileSync(linesFile, "utf8"));
  const [, exported, method] = peers[name];
  const Matcher = (await import(pathToFileURL(fileOf(name)).href))[exported];
  const start = performance.now();
  const matcher = new Matcher(surfaces);
  const build = (performance.now() - start) / 1000;
  const bytes = lines.reduce((sum, line) => sum + line.length + 1, 0);
  let scan = 0;
  for (let i = 0; i < 3; i++) {
    const before = process.cpuUsage();
    for (const line of lines) matcher[method](line);
    const { user, system } = process.cpuUsage(before);
    scan = Math.max(scan, bytes / (user + system));
  }
  process.stdout.write(JSON.stringify({ build, scan }));
}
