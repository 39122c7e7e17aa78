import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { encoders, sources } from "../../src/encoders/index.ts";
import { completeSettings, methods } from "../../src/methods/index.ts";
import { objectives } from "../../src/objectives/index.ts";
import { makeFolder, run } from "./lacuna.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const documents = ["README.md", ...names("docs"), ...names("experiments")].map((name) => ({
  name,
  lines: readFileSync(`${root}${name}`, "utf8").split("\n"),
}));

describe("what the documents say", () => {
  it("of commands and their flags is true", async () => {
    const flags = await flagsByCommand();
    const wrong: string[] = [];
    let seen = 0;
    for (const { name, line, command, rest } of commandLines()) {
      seen++;
      const known = flags.get(command);
      const unknown = known ? (rest.match(/(?<=\s\[?)--[a-z-]+/g) ?? []).filter((flag) => !known.has(flag)) : [command];
      for (const each of unknown) wrong.push(`${name}:${line}: lacuna ${command}: ${each}`);
    }
    expect(wrong).toEqual([]);
    expect(seen).toBeGreaterThan(15);
  });

  it("of settings is true", () => {
    const wrong: string[] = [];
    let seen = 0;
    for (const { name, lines } of documents) {
      lines.forEach((line, i) => {
        for (const [, path] of line.matchAll(/(?:^\| `|--set )([a-zA-Z]+(?:\.[a-zA-Z]+)+)(?:`|=)/g)) {
          if (files.test(path!)) continue;
          seen++;
          if (!isSetting(path!.split("."))) wrong.push(`${name}:${i + 1}: ${path}`);
        }
      });
    }
    expect(wrong).toEqual([]);
    expect(seen).toBeGreaterThan(20);
  });
});

async function flagsByCommand(): Promise<Map<string, Set<string>>> {
  const folder = makeFolder();
  const { stdout } = await run(folder, ["--help"]);
  const commands = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, command]) => command!);
  const helps = await Promise.all(commands.map((command) => run(folder, [command, "--help"])));
  return new Map(commands.map((command, i) => [command, new Set(helps[i]!.stdout.match(/--[a-z-]+/g))]));
}

/** Tables of files and of estimates look like tables of settings. */
const files = /\.json$|\.onnx$|\.safetensors$|^(sample|masked)\./;

function* commandLines(): Generator<{ name: string; line: number; command: string; rest: string }> {
  for (const { name, lines } of documents) {
    for (const [i, line] of lines.entries()) {
      for (const [, command, rest] of line.matchAll(/(?:^|`|\$ |\| |npx |^ {4})lacuna ([a-z]+)([^`#|]*)/g)) {
        yield { name, line: i + 1, command: command!, rest: rest! };
      }
    }
  }
}

/** Whether a path leads to a setting of some method, or of some part that can be chosen. */
function isSetting(path: readonly string[]): boolean {
  // A shift may be given for each type, and any name may be that of a type.
  if (path.length === 3 && path.slice(0, 2).join(".") === "decode.shift") return true;
  return allSettings().some((settings) => path.reduce<unknown>(memberOf, settings) !== undefined);
}

let known: unknown[] | undefined;

function allSettings(): unknown[] {
  known ??= [
    ...Object.keys(methods).map((method) => ({ method })),
    ...Object.keys(objectives).map((objective) => ({ objective })),
    ...Object.values(encoders).map(({ name, usage }) => ({ encoder: name === "stack" ? everySource : usage })),
  ].map((given) => completeSettings(given));
  return known;
}

const everySource = Object.values(sources)
  .map(({ usage }) => usage)
  .join("+");

/** A setting of an object, or a member of a list by its name. */
function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.find(({ name }: { name: string }) => name === key);
  return (value as Record<string, unknown> | undefined)?.[key];
}

function names(folder: string): string[] {
  const all = readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" });
  return all.filter((name) => name.endsWith(".md")).map((name) => `${folder}/${name}`);
}
