/** Kills every command that writes, over and over, and looks at what is there after it was run again. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { random } from "../src/util/random.ts";
import { killOnce, undisturbed, type Workplace } from "./kill.ts";
import { killedCommands, trainModel } from "./kill-commands.ts";
import { writeInputs } from "./kill-files.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { share: { type: "string", default: "1" }, seed: { type: "string", default: "1" } },
});

const root = mkdtempSync(join(tmpdir(), "lacuna-kill-"));
const place: Workplace = {
  program: fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url)),
  folder: join(root, "work"),
  scratch: join(root, "temporary"),
};
mkdirSync(place.folder);
mkdirSync(place.scratch);
writeInputs(place.folder, 40_000);
await undisturbed({ name: "train", args: trainModel, kills: 0 }, place);

const started = Date.now();
const total = { kills: 0, problems: 0 };
for (const command of killedCommands) {
  if (positionals.length > 0 && !positionals.includes(command.name)) continue;
  const expected = await undisturbed(command, place);
  const wanted = Math.ceil(command.kills * Number(values.share));
  let kills = 0;
  // A kill that comes after the end does not count.
  for (let attempt = 0; kills < wanted && attempt < 4 * wanted; attempt++) {
    const outcome = await killOnce(command, expected, place, random(Number(values.seed), command.name, attempt));
    if (outcome.struck) kills++;
    for (const problem of outcome.problems)
      process.stdout.write(`PROBLEM ${command.name}, attempt ${attempt}: ${problem}\n`);
    total.problems += outcome.problems.length;
  }
  total.kills += kills;
  process.stdout.write(`${command.name}: killed ${kills} times, ${expected.files.size} files\n`);
}
rmSync(root, { recursive: true, force: true });
const minutes = ((Date.now() - started) / 60_000).toFixed(1);
process.stdout.write(`${total.kills} kills in ${minutes} minutes: ${total.problems} problems\n`);
process.exitCode = total.problems > 0 ? 1 : 0;
