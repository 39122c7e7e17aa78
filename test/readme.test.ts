import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const run = promisify(execFile);
let readme: string;
let folder: string;

/** The lines of the code block that holds a text. */
function block(language: string, holding: string): string {
  const blocks = [...readme.matchAll(/```(\w+)\n([\s\S]*?)```/g)].filter(([, name]) => name === language);
  return blocks.find(([, , text]) => text!.includes(holding))![2]!;
}

/** A command of the README as it stands there, but for how the program is found. */
async function shell(line: string): Promise<string> {
  const command = line.replace(/\s+#.*$/, "").replace("npx lacuna", `node ${join(root, "dist/cli/main.js")}`);
  return (await run("sh", ["-c", command], { cwd: folder })).stdout;
}

describe("the path of the README", () => {
  beforeAll(async () => {
    readme = await readFile(join(root, "README.md"), "utf8");
    // Inside the package, so that its name resolves as it does for a user.
    await mkdir(join(root, "build"), { recursive: true });
    folder = await mkdtemp(join(root, "build", "readme-"));
    await cp(join(root, "samples/dictionary.tsv"), join(folder, "names.tsv"));
    await cp(join(root, "samples/raw.txt"), join(folder, "notes.txt"));
    await cp(join(root, "samples/dev.conll"), join(folder, "dev.conll"));
    await writeFile(join(folder, "more.txt"), "Ana Lopes moved to Lisbon.\n");
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("goes on the sample from a file with gaps to tagged text, with the output that it shows", async () => {
    await cp(join(root, "samples"), join(folder, "samples"), { recursive: true });
    await shell(block("sh", "lacuna mask").trim());
    for (const console of readme.matchAll(/```console\n\$ (.*)\n([\s\S]*?)```/g)) {
      const [, command, shown] = console;
      const said = await shell(`${command} 2>&1`);
      for (const line of shown!
        .trim()
        .split("\n")
        .filter((each) => each !== "…")) {
        // Another processor may round otherwise in training: its score is near, all else is the same.
        const [, score] = / F1 ([\d.]+) %/.exec(line) ?? [];
        if (score === undefined) expect(said.split("\n")).toContain(line);
        else expect(Math.abs(Number(/best on dev .* F1 ([\d.]+) %/.exec(said)![1]) - Number(score))).toBeLessThan(4);
      }
    }
  });

  it("leads from a dictionary and raw text to tagged text", async () => {
    const commands = block("sh", "lacuna label").trim().split("\n");
    expect(commands.map((line) => line.split(/\s+/)[2])).toEqual(["label", "check", "train", "tag"]);
    const outputs: string[] = [];
    for (const line of commands) outputs.push(await shell(line));
    expect(outputs[1]).toMatch(/sentences/);
    expect(outputs[3]!.replaceAll(/\[(.*?)\]\(\w+\)/g, "$1")).toBe("Ana Lopes moved to Lisbon.\n");
  });

  it("runs the TypeScript example on the model that the commands made", async () => {
    await writeFile(join(folder, "example.mjs"), block("ts", "Recogniser.load"));
    const { stdout } = await run("node", ["example.mjs"], { cwd: folder });
    for (const line of stdout.split("\n").filter(Boolean)) expect(line).toMatch(/^\w+ .+ at \d+–\d+, p = [01]\.\d\d$/);
  });
});
