// Makes docs/images/review.png: the review page on the sample, of whose labels three in ten are hidden, after an audit.
// `node scripts/review-picture.mjs`, after a build; with a folder as argument, pictures at three widths, light and dark.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import chromium from "@sparticuz/chromium";
import { chromium as playwright } from "playwright-core";

const root = fileURLToPath(new URL("..", import.meta.url));
const program = join(root, "dist/cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "lacuna-picture-"));
const target = process.argv[2];

function lacuna(...args) {
  execFileSync(process.execPath, [program, ...args, "--quiet"], { cwd: folder });
}

async function serve() {
  const files = ["--data", "train.jsonl", "--audit", "audit.jsonl", "--out", "reviewed.jsonl"];
  const child = spawn(process.execPath, [program, "review", ...files, "--no-open", "--quiet"], { cwd: folder });
  const address = await new Promise((resolve, reject) => {
    child.stdout.once("data", (text) => resolve(String(text).trim()));
    child.stderr.once("data", (text) => reject(new Error(String(text))));
  });
  return { child, address };
}

try {
  lacuna("mask", "--rate", "0.3", "--in", join(root, "samples/train.conll"), "--out", "train.jsonl");
  lacuna("audit", "--quick", "--data", "train.jsonl", "--out", "audit.jsonl", "--set", "rate=0.008");

  const { child, address } = await serve();
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const shoot = async (path, { width, height, scheme, scale = 1 }) => {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: scheme,
      deviceScaleFactor: scale,
    });
    const page = await context.newPage();
    await page.goto(address);
    await page.locator("#question").waitFor();
    await page.waitForTimeout(300);
    await page.screenshot({ path });
    return { page, context };
  };
  if (target === undefined) {
    const { page } = await shoot(join(folder, "first.png"), { width: 1280, height: 800, scheme: "light" });
    for (const key of "aaraua") {
      await page.keyboard.press(key);
      await page.waitForTimeout(3500);
    }
    // Without the word on the last decision, which leaves by itself.
    await page.waitForTimeout(6000);
    mkdirSync(join(root, "docs/images"), { recursive: true });
    await page.screenshot({ path: join(root, "docs/images/review.png") });
  } else {
    mkdirSync(target, { recursive: true });
    for (const scheme of ["light", "dark"])
      for (const [width, height] of [
        [1280, 800],
        [800, 900],
        [400, 820],
      ])
        await shoot(join(target, `${width}-${scheme}.png`), { width, height, scheme });
    const { page } = await shoot(join(target, "x.png"), { width: 1280, height: 800, scheme: "light" });
    for (const kind of ["Wrong", "Type", "Boundary"]) {
      await page.locator(`.kinds .kind-${kind.toLowerCase()}`).click();
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(target, `kind-${kind}.png`) });
      await page.locator(`.kinds .kind-${kind.toLowerCase()}`).click();
    }
    await page.keyboard.press("?");
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(target, "help.png") });
  }
  await browser.close();
  child.kill("SIGINT");
  // It writes the reviewed file before it ends.
  await once(child, "exit");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
