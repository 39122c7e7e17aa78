import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import chromium from "@sparticuz/chromium";
import { chromium as playwright } from "playwright-core";
import type { TaggedEntity } from "../src/inference/index.ts";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};
const perCall = 50;

/** What the page of an exported model finds in texts, in a real browser. */
export async function inBrowser(page: string, texts: readonly string[]): Promise<TaggedEntity[][]> {
  const server = createServer(({ url }, response) => {
    const path = new URL(url!, "http://localhost").pathname.replace(/\/$/, "/index.html");
    const file = createReadStream(join(page, path));
    file.once("error", () => response.writeHead(404).end());
    file.once("open", () => response.writeHead(200, { "content-type": types[extname(path)] ?? "text/plain" }));
    file.pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Not the arguments that come with the package: they switch off what keeps pages apart.
  const args = ["--no-sandbox", "--disable-gpu"];
  const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args });
  try {
    const tab = await browser.newPage();
    tab.setDefaultTimeout(600_000);
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await tab.locator("#status").filter({ hasText: "Ready" }).waitFor();
    const found: TaggedEntity[][] = [];
    for (let from = 0; from < texts.length; from += perCall)
      found.push(...(await tab.evaluate(tagAll, texts.slice(from, from + perCall))));
    return found;
  } finally {
    await browser.close();
    server.close();
  }
}

/** Runs in the page. */
async function tagAll(texts: readonly string[]): Promise<TaggedEntity[][]> {
  const { lacuna } = globalThis as unknown as { lacuna: { tag(text: string): Promise<TaggedEntity[]> } };
  const found: TaggedEntity[][] = [];
  for (const text of texts) found.push(await lacuna.tag(text));
  return found;
}
