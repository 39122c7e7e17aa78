import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";

const script = fileURLToPath(new URL("support/fill-cache.mjs", import.meta.url));
const run = promisify(execFile);

let cache: string;
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), "lacuna-cache-"));
  onTestFinished(() => rm(cache, { recursive: true, force: true }));
});

async function fill(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [script, ...args], { env: { ...process.env, LACUNA_CACHE: cache } });
  return stdout.trim();
}

const files = (): Promise<string[]> => readdir(join(cache, "features", "counting-one"));

describe("a feature cache that several processes fill at once", () => {
  it("serves all of them, and one that is killed leaves what it wrote", async () => {
    // It has sentences of its own: what others have computed it would not compute, and so never come to its end.
    const killed = fill("1000", "400", "kill").catch(({ signal }: { signal: string }) => signal);
    expect(await Promise.all([fill("0", "300"), fill("100", "300")])).toEqual(["whole", "whole"]);
    expect(await killed).toBe("SIGKILL");
    const before = await files();
    expect(before.every((name) => name.endsWith(".features"))).toBe(true);
    expect(await fill("0", "400")).toBe("whole");
    // Everything was there, and of the one that was killed its first sixty sentences.
    expect((await files()).length).toBe(before.length);
    expect(await fill("1000", "60")).toBe("whole");
    expect((await files()).length).toBe(before.length);
    expect(await fill("1000", "400")).toBe("whole");
  });

  it("tells of a full disk, loses nothing, and goes on when there is room", async () => {
    expect(await fill("0", "60")).toBe("whole");
    // A limit on the size of files is a full disk for a file of 300 kB.
    const command = `ulimit -f 100; exec "$0" "$@"`;
    const { stdout } = await run("sh", ["-c", command, process.execPath, script, "60", "60", "wide"], {
      env: { ...process.env, LACUNA_CACHE: cache },
    });
    expect(stdout).toMatch(/feature cache: no space left; what was written stays .* set LACUNA_CACHE to a folder/);
    expect((await files()).length).toBe(1);
    expect(await fill("0", "120")).toBe("whole");
  });
});
