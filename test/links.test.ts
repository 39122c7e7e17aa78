import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...["docs", "experiments", "samples"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(folder, name)),
  ),
];

describe("links between documents", () => {
  it("lead to files, and to headings that are there", () => {
    const broken: string[] = [];
    let seen = 0;
    for (const page of pages) {
      for (const target of linksOf(page)) {
        seen++;
        if (!leadsSomewhere(page, target)) broken.push(`${page}: ${target}`);
      }
    }
    expect(broken).toEqual([]);
    expect(seen).toBeGreaterThan(100);
  });

  it("lead from docs/README.md to every page of the documentation", () => {
    const linked = new Set(linksOf("docs/README.md").map((target) => resolve(root, "docs", target.split("#")[0]!)));
    const documents = pages.filter((page) => page.startsWith("docs/") && !page.startsWith("docs/decisions/"));
    expect(documents.filter((page) => page !== "docs/README.md" && !linked.has(join(root, page)))).toEqual([]);
  });
});

/** Targets of links and pictures within the repository, outside of code. */
function linksOf(page: string): string[] {
  const text = readFileSync(join(root, page), "utf8")
    .replaceAll(/^```.*?^```$/gms, "")
    .replaceAll(/`[^`\n]*`/g, "code");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target));
}

function leadsSomewhere(page: string, target: string): boolean {
  const [path, heading] = target.split("#");
  const file = path === "" ? join(root, page) : resolve(root, dirname(page), decodeURI(path!));
  if (!existsSync(file)) return false;
  return heading === undefined || (statSync(file).isFile() && headingsOf(file).has(heading));
}

/** The names by which the headings of a page can be linked to, as GitHub makes them. */
function headingsOf(file: string): Set<string> {
  const headings = readFileSync(file, "utf8").matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, title]) =>
      title!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(" ", "-"),
    ),
  );
}
