/** Checks the licence of every package in the lock file against the lists below. `npm run licences`. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Licences under which a package may be shipped with this one, and those that are fine for tools alone. */
const shipped = new Set([
  "MIT",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "CC0-1.0",
  "Unlicense",
  "BlueOak-1.0.0",
]);
const forTools = new Set([...shipped, "MPL-2.0", "Python-2.0", "CC-BY-4.0"]);

const root = new URL("../", import.meta.url);
const { packages } = JSON.parse(readFileSync(new URL("package-lock.json", root), "utf8"));
const problems = [];
const counts = new Map();
let absent = 0;
for (const [path, { license, dev = false, optional = false }] of Object.entries(packages)) {
  if (path === "") continue;
  const found = license ?? installedLicence(path);
  if (found === undefined && optional && !existsSync(fileURLToPath(new URL(path, root)))) {
    absent++; // built for another platform, and not installed here
    continue;
  }
  const allowed = dev ? forTools : shipped;
  if (!isAllowed(found ?? "", allowed)) problems.push(`${path}: ${found ?? "no licence"}`);
  counts.set(found, (counts.get(found) ?? 0) + 1);
}
for (const [name, count] of [...counts].sort()) console.log(`${String(count).padStart(4)} ${name}`);
if (absent > 0) console.log(`${String(absent).padStart(4)} for other platforms, not installed here`);
if (problems.length > 0) {
  console.error(`licences that are not allowed:\n${problems.join("\n")}`);
  process.exitCode = 1;
}

function installedLicence(path) {
  const file = new URL(`${path}/package.json`, root);
  if (!existsSync(file)) return undefined;
  const { license } = JSON.parse(readFileSync(file, "utf8"));
  return typeof license === "string" ? license : license?.type;
}

/** `(MIT OR CC0-1.0)`: one of them is enough; `A AND B`: both are needed. */
function isAllowed(expression, allowed) {
  const plain = expression.replace(/^\((.*)\)$/, "$1");
  if (plain.includes(" OR ")) return plain.split(" OR ").some((each) => isAllowed(each, allowed));
  if (plain.includes(" AND ")) return plain.split(" AND ").every((each) => isAllowed(each, allowed));
  return allowed.has(plain);
}
