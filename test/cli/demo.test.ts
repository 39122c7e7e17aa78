import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFolder, outcomeOf, run, start, until } from "./lacuna.ts";

interface Scores {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

it("shows what hiding does, keeps report, figure and models, and says so", async () => {
  const folder = makeFolder();
  const { code, stdout, stderr } = await run(folder, ["demo", "--epochs", "3"]);
  expect(code).toBe(0);
  expect(readdirSync(join(folder.path, "lacuna-demo")).sort()).toEqual([
    "complete",
    "demo.json",
    "figure.svg",
    "model",
    "plain",
    "report.md",
  ]);
  const { systems, shifted, wonBack, hidden, annotations, gaps } = JSON.parse(folder.read("lacuna-demo/demo.json"));
  const [plain, model, complete]: Scores[] = ["plain", "model", "complete"].map((name) => systems[name].test);
  expect(hidden).toBe(Math.round(0.6 * annotations));
  expect(wonBack).toBeCloseTo((model!.f1 - plain!.f1) / (complete!.f1 - plain!.f1), 12);
  expect(model!.recall).toBeGreaterThan(plain!.recall);
  expect(shifted.wonBack).toBeCloseTo((shifted.test.f1 - plain!.f1) / (complete!.f1 - plain!.f1), 12);
  expect(shifted.shift).toBeLessThan(0);
  expect(shifted.dev).toBeGreaterThan(Math.max(...systems.plain.dev));
  expect(Object.keys(shifted.test)).toEqual(Object.keys(systems.plain.test));

  const row = ({ precision, recall, f1 }: Scores) => [precision, recall, f1].map((each) => (100 * each).toFixed(2));
  expect(stdout).toMatch(new RegExp(`^ce, plain training +${row(plain!).join(" +")}$`, "m"));
  expect(stdout).toMatch(new RegExp(`^uniform, made for gaps +${row(model!).join(" +")}$`, "m"));
  const control = `the same model, shifted by ${shifted.shift}`;
  expect(stdout).toMatch(new RegExp(`^ {2}${control} +${row(shifted.test).join(" +")}$`, "m"));
  expect(stdout).toContain(`${Math.round(100 * wonBack)} %.`);
  expect(stdout).toContain(`${Math.round(100 * shifted.wonBack)} %.`);
  expect(stdout.match(/^ {2}[01]\.\d{4} {2}was (hidden|not ) /gm)).toHaveLength(10);
  expect(stdout.replaceAll(",", "")).toContain(`The model would add ${gaps.found} annotations`);
  expect(folder.read("lacuna-demo/report.md")).toContain(`| uniform, made for gaps | ${row(model!).join(" | ")} |`);
  expect(folder.read("lacuna-demo/report.md")).toContain(`${control} | ${row(shifted.test).join(" | ")} |`);
  expect(folder.read("lacuna-demo/figure.svg")).toMatch(/^<svg /);
  expect(folder.read("lacuna-demo/figure.svg")).toContain(`>${control}<`);
  expect(stderr).toMatch(/lacuna-demo: report\.md, figure\.svg, and the models; done in \d+:\d\d\n/);

  const f1Of = async (name: string, ...flags: string[]): Promise<number> => {
    const args = ["evaluate", "--model", `lacuna-demo/${name}`, "--data", sample("test"), "--json", ...flags];
    return JSON.parse((await run(folder, args)).stdout).f1;
  };
  expect(await f1Of("model")).toBe(model!.f1);
  expect(await f1Of("plain", "--shift", String(shifted.shift))).toBe(shifted.test.f1);
});

it("does not touch a folder with other files", async () => {
  const folder = makeFolder({ "report.md": "mine" });
  const { code, stderr } = await run(folder, ["demo", "--out", "."]);
  expect(stderr).toBe(
    "lacuna: .: the folder holds files that are not the demo's, such as report.md; choose another with --out\n",
  );
  expect(code).toBe(2);
});

it("leaves nothing behind when it is interrupted", async () => {
  const folder = makeFolder();
  const child = start(folder, "demo");
  child.stdin.end();
  await until(() => folder.names().length > 0);
  child.kill("SIGINT");
  expect((await outcomeOf(child)).code).toBe(130);
  expect(folder.names()).toEqual([]);
});

function sample(name: string): string {
  return new URL(`../../samples/${name}.conll`, import.meta.url).pathname;
}
