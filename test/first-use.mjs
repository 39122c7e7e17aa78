// The README's path as a newcomer walks it: a fresh clone in an empty home directory, install, demo, own data, API.
// Slow and in need of installable packages, so it is a step of its own after the tests:  node test/first-use.mjs
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "lacuna-first-use-"));
const [clone, home] = [join(folder, "clone"), join(folder, "home")];

/** How npm reaches packages is the machine's matter; all else in the home directory is missing. */
const npmConfig = (name) => execFileSync("npm", ["config", "get", name], { encoding: "utf8" }).trim();
const env = {
  PATH: process.env.PATH,
  HOME: home,
  npm_config_userconfig: npmConfig("userconfig"),
  npm_config_cache: npmConfig("cache"),
};

function walk(title, command, args, options = {}) {
  process.stderr.write(`== ${title}\n`);
  return execFileSync(command, args, {
    cwd: clone,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    ...options,
  });
}

function expect(holds, what) {
  if (!holds) throw new Error(`first use: expected ${what}`);
}

/** Where there is no git, a copy of everything that does not come from a build. */
function freshClone() {
  try {
    walk("a fresh clone", "git", ["clone", "--quiet", "--depth", "1", `file://${root}`, clone], { cwd: folder });
  } catch {
    const made = ["node_modules", "dist", "build", "lacuna-demo"];
    cpSync(root, clone, { recursive: true, filter: (path) => !made.includes(basename(path)) });
  }
}

try {
  mkdirSync(home);
  freshClone();
  walk("npm ci", "npm", ["ci", "--no-audit", "--no-fund", "--prefer-offline"]);
  const said = walk("npm start", "npm", ["start", "--silent"]);
  expect(/wins back \d/.test(said), "the demo to say what was won back");
  for (const name of ["report.md", "figure.svg", "model/config.json"]) {
    expect(existsSync(join(clone, "lacuna-demo", name)), `the demo to leave lacuna-demo/${name}`);
  }
  const help = walk("npx lacuna", "npx", ["lacuna", "--help"]);
  expect(help.includes("Usage: lacuna"), "npx lacuna to work from the checkout");
  walk("own data and the API, as the README has them", "npx", ["vitest", "run", "test/readme.test.ts"]);
  process.stderr.write("== first use: everything works\n");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
