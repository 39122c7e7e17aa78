import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mountMissing, type QueuePlace, queueFaults } from "../../fuzz/queue-faults.ts";
import { random } from "../../src/util/random.ts";
import { redisMissing, startRedis, type TestRedis } from "../support/redis.ts";
import { program, run, sharedFolder } from "./lacuna.ts";
import { trainTiny } from "./tiny.ts";

if (redisMissing !== undefined) console.warn(`the tests of faults on a queue are skipped: ${redisMissing}`);

if (mountMissing !== undefined) console.warn(`the test of a full disk is skipped: ${mountMissing}`);

/** A short form of `npm run queue-test`, which does each of them many times. */
describe.skipIf(redisMissing !== undefined)("work on a queue loses nothing and does nothing twice when", () => {
  const folder = sharedFolder();
  let redis: TestRedis;
  let place: QueuePlace;
  beforeAll(async () => {
    redis = await startRedis();
    await trainTiny(folder, "model");
    const text = Array.from({ length: 9000 }, (_, i) => `Ada met Bob ${i} in Rome today , and Eve lives in Oslo .\n`);
    writeFileSync(join(folder.path, "text.txt"), text.join(""));
    const args = [
      "tag",
      "--model",
      "model",
      "--in",
      "text.txt",
      "--out",
      "expected.jsonl",
      "--threads",
      "1",
      "--quiet",
    ];
    expect((await run(folder, args)).code).toBe(0);
    place = { program, folder: folder.path, redis, shardSize: 65_536 };
  });
  afterAll(() => redis?.stop());

  const possible = Object.keys(queueFaults).filter((name) => !name.includes("disk") || mountMissing === undefined);
  it.each(possible)("%s", async (name) => {
    const { problems, struck } = await queueFaults[name]!(place, random(1, name));
    expect(problems).toEqual([]);
    expect(struck).toBe(true);
  });
});
