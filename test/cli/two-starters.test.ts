import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFolder, outcomeOf, run, start, until } from "./lacuna.ts";
import { corpus, tiny } from "./tiny.ts";

it("a second training in a folder is refused while the first is at work, and does not disturb it", async () => {
  const folder = makeFolder({ "corpus.conll": corpus });
  const train = [
    "train",
    "--train",
    "corpus.conll",
    "--dev",
    "corpus.conll",
    "--out",
    "model",
    "--epochs",
    "30",
    ...tiny,
  ];
  const first = start(folder, ...train, "--quiet");
  const ended = outcomeOf(first);
  await until(() => existsSync(join(folder.path, "model", "checkpoint")));
  for (const more of [[], ["--resume"]]) {
    const second = await run(folder, [...train, ...more, "--quiet"]);
    if (first.exitCode !== null) return; // over already: there was nothing to disturb
    expect(second.code).toBe(2);
    expect(second.stderr).toBe(`lacuna: model: another process works on this run (${first.pid})\n`);
  }
  expect((await ended).code).toBe(0);
  expect(readdirSync(join(folder.path, "model"))).not.toContain(".process");
});
