import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { methods } from "../src/methods/index.ts";
import { builtInParts } from "../src/training/parts.ts";
import { builtInSchema } from "../src/training/settings.ts";
import { makeFolder } from "./cli/lacuna.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const settings = readFileSync(join(root, "docs/reference/settings.md"), "utf8");

describe("docs/reference", () => {
  it("is what the program says of itself (npm run reference)", () => {
    const { path } = makeFolder();
    execFileSync("node", [join(root, "scripts/reference.mjs"), "--out", path]);
    for (const name of readdirSync(path))
      expect(readFileSync(join(root, "docs/reference", name), "utf8")).toBe(readFileSync(join(path, name), "utf8"));
  });

  it("has a row for every setting of the run, of every part and of every method", () => {
    const { samplers, objectives, heads } = builtInParts;
    const paths = [
      ...Object.keys(builtInSchema.shape),
      ...Object.entries({ sampler: samplers, objective: objectives, head: heads }).flatMap(([sort, kinds]) =>
        Object.values(kinds).flatMap((kind) => Object.keys(kind.settings.shape).map((key) => `${sort}.${key}`)),
      ),
      ...Object.values(methods).flatMap(({ sections = {} }) => Object.keys(sections)),
    ];
    expect(paths.length).toBeGreaterThan(40);
    expect(paths.filter((path) => !settings.includes(`| \`${path}\` |`) && !settings.includes(`| \`${path}.`))).toEqual(
      [],
    );
  });

  it("says defaults and ranges as the schemas have them", () => {
    // By hand, from src/training/settings.ts, src/samplers/top-similarity.ts and src/encoders/sources/transformer.ts.
    for (const row of [
      "| `epochs` | `20` | whole number from 1 |",
      "| `warmup` | `0.1` | number from 0 and below 1 |",
      "| `schedule` | `linear` | `constant`, `linear` |",
      "| `sampler.rate` | `0.05` | number above 0 to 1 |",
      "| `decode.shift` | `0` | `auto`, `by-type`, or number, or number for each type |",
      "| `objective.priors` | `{}` | number from 0 and below 1 for each type |",
      "| `head.queries` | `{}` | text for each type |",
      "| `head.maxWidth` | `auto` | `auto`, or whole number from 1 |",
      "| `encoder.sources.transformer.train` | `none` | `none`, `all`, `top:N` |",
    ])
      expect(settings).toContain(row);
  });
});
