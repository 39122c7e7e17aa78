import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const engine = new URL("../dist/tensor/index.js", import.meta.url).href;

/** Runs a graph, as a library user would, and stays long enough for anything that starts late. */
const doubling = `
  import { input, mul, Program } from ${JSON.stringify(engine)};
  const x = input("x", "float32", [2]);
  const program = await Program.compile({ y: mul(x, 2) });
  const { y } = await program.run({ x: { data: new Float32Array([1, 2]), shape: [2] } });
  console.log(y.data.join());
  await program.dispose();
  await new Promise((resolve) => setTimeout(resolve, 500));`;

interface Traced {
  readonly stdout: string;
  readonly stderr: string;
  /** Files below the folders of the user and of the system for temporary files. */
  readonly files: readonly string[];
  /** System calls, where they could be watched. */
  readonly calls: string;
}

function runAlone(files: Readonly<Record<string, string>>, trace: boolean): Traced {
  const root = mkdtempSync(join(tmpdir(), "lacuna-telemetry-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const name of ["home", "temporary"]) mkdirSync(join(root, name));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const { ORT_DISABLE_TELEMETRY: _, ...inherited } = process.env;
  const home = join(root, "home");
  const env = { ...inherited, HOME: home, XDG_CACHE_HOME: join(home, ".cache"), TMPDIR: join(root, "temporary") };
  const log = join(root, "calls");
  const strace = ["strace", "-f", "-o", log, "-e", "trace=socket,connect,openat,mkdir,mkdirat"];
  const node = [process.execPath, join(root, "main.mjs")];
  const [program, ...args] = trace ? [...strace, ...node] : node;
  const { stdout, stderr } = spawnSync(program!, args, { env, encoding: "utf8" });
  return {
    stdout,
    stderr,
    files: ["home", "temporary"].flatMap((name) => readdirSync(join(root, name), { recursive: true }).map(String)),
    calls: existsSync(log) ? readFileSync(log, "utf8") : "",
  };
}

it("leaves no file with the user or among the temporary files when a library user runs a graph", () => {
  const { stdout, files } = runAlone({ "main.mjs": doubling }, false);
  expect(stdout).toBe("2,4\n");
  expect(files).toEqual([]);
});

const hasStrace = spawnSync("strace", ["-f", "-o", "/dev/null", "true"]).status === 0;

it.skipIf(!hasStrace)("opens no connection and makes no file, as the system sees it", () => {
  const { stdout, calls } = runAlone({ "main.mjs": doubling }, true);
  expect(stdout).toBe("2,4\n");
  expect(calls).toContain("libonnxruntime");
  const suspicious = calls.split("\n").filter((call) => /AF_INET|O_CREAT|connect\(|mkdir/.test(call));
  expect(suspicious).toEqual([]);
});

it("holds for worker threads that the main thread starts, and refuses to run in one that would send", () => {
  const start = `
    import { Worker } from "node:worker_threads";
    const worker = new Worker(new URL("./thread.mjs", import.meta.url));
    worker.on("error", (error) => console.log(error.message));`;
  const inherited = runAlone(
    { "main.mjs": `import ${JSON.stringify(engine)};${start}`, "thread.mjs": doubling },
    false,
  );
  expect(inherited).toMatchObject({ stdout: "2,4\n", files: [] });
  const alone = runAlone({ "main.mjs": start, "thread.mjs": doubling }, false);
  expect(alone.stdout).toMatch(
    /^ONNX Runtime would send usage data from this thread: .* set ORT_DISABLE_TELEMETRY=1\n$/,
  );
  expect(alone.files).toEqual([]);
});
