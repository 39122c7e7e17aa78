import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { killOnce, undisturbed, type Workplace } from "../../fuzz/kill.ts";
import { killedCommands } from "../../fuzz/kill-commands.ts";
import { writeInputs } from "../../fuzz/kill-files.ts";
import { random } from "../../src/util/random.ts";
import { program, sharedFolder } from "./lacuna.ts";

/** A short form of `npm run kill-test`, which kills every command that writes. */
describe("a command that is killed and run again", () => {
  const folder = sharedFolder();
  const place: Workplace = { program, folder: join(folder.path, "work"), scratch: join(folder.scratch, "temporary") };
  beforeAll(() => {
    mkdirSync(place.folder);
    mkdirSync(place.scratch);
    writeInputs(place.folder, 20_000);
  });

  it.each(["convert from standard input", "mask", "import", "train"])(
    "%s writes the same bytes and leaves nothing behind",
    async (name) => {
      const command = killedCommands.find((each) => each.name === name)!;
      const expected = await undisturbed(command, place);
      expect(expected.files.size).toBeGreaterThan(0);
      for (let number = 0; number < 2; number++) {
        const { problems } = await killOnce(command, expected, place, random(7, name, number));
        expect(problems).toEqual([]);
      }
    },
  );
});
