import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, type Page, chromium as playwright } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { temporaryFolder, tinyModel, writeModel } from "../src/encoders/transformer/tiny-models.suite.ts";
import { exporters } from "../src/export/index.ts";
import { Recogniser, type TaggedEntity } from "../src/inference/index.ts";
import { generatedTexts, type Language, lexicon, trained } from "./support/export-models.ts";

/** Texts of each model that are compared: `LACUNA_WEB_TEXTS=1000` for the whole comparison. */
const count = Number(process.env.LACUNA_WEB_TEXTS ?? 40);

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** A static file server, as plain as they come. */
async function serve(folder: string): Promise<{ readonly address: string; readonly server: Server }> {
  const server = createServer(({ url }, response) => {
    const path = new URL(url!, "http://localhost").pathname.replace(/\/$/, "/index.html");
    const type = types[extname(path)];
    const file = createReadStream(join(folder, path));
    file.once("error", () => response.writeHead(404).end());
    file.once("open", () => response.writeHead(200, type === undefined ? {} : { "content-type": type }));
    file.pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

/** Flags of the packaged browser that would let pages do what they may not do elsewhere. */
const lenient = /web-security|insecure-content|SharedArrayBuffer/;

const open: { readonly browser: Browser; readonly server: Server }[] = [];

afterEach(async () => {
  for (const { browser, server } of open.splice(0)) {
    await browser.close();
    server.close();
  }
});

async function openPage(folder: string): Promise<{ page: Page; address: string; requests: string[] }> {
  const { address, server } = await serve(folder);
  const executablePath = await chromium.executablePath();
  const args = chromium.args.filter((flag) => !lenient.test(flag));
  const browser = await playwright.launch({ args, executablePath, headless: true });
  open.push({ browser, server });
  const page = await browser.newPage();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(address);
  // The page's policy forbids what `waitForFunction` does; texts can be waited for.
  const loaded = page.locator("#status").filter({ hasText: /^(?!Loading)/ });
  await loaded.waitFor({ timeout: 100_000 });
  return { page, address, requests };
}

const small = { name: "bilstm", units: 8, wordWidth: 8 };
const spans = async (): Promise<object> => ({
  encoder: small,
  head: { name: "span", hidden: 16, dropout: 0, maxWidth: 4 },
});

/** Sub-words, letters and a CRF. */
async function transformer(): Promise<object> {
  return { encoder: { name: "transformer", from: await writeModel(tinyModel("bert")), features: true } };
}

/** Words of a lexicon, which a browser looks for without memory that threads share. */
async function softLexicon(): Promise<object> {
  const sources = [
    { name: "words", width: 6 },
    { name: "softlexicon", from: await lexicon(), width: 4 },
  ];
  return { encoder: { name: "stack", sources, context: { units: 8 } } };
}

describe("a page in a real browser", () => {
  it.each([
    ["english", "spans", spans],
    ["english", "sub-words", transformer],
    ["chinese", "a lexicon", softLexicon],
  ] as [Language, string, () => Promise<object>][])(
    "finds in %s by %s what the recogniser finds, and asks no server meanwhile",
    { timeout: 600_000 },
    async (language, _, settings) => {
      const directory = await trained(language, await settings());
      const out = join(await temporaryFolder(), "page");
      const { files } = await exporters.web(directory, out);
      expect(files).toContain("index.html");
      const { page, address, requests } = await openPage(out);
      expect(await page.textContent("#status")).toBe("Ready: ORG, PER");
      expect(requests.filter((url) => !url.startsWith(address))).toEqual([]);
      requests.length = 0;

      const recogniser = await Recogniser.load(directory);
      let found = 0;
      for (const text of generatedTexts(language, count)) {
        const expected = await recogniser.tag(text);
        const inBrowser = await page.evaluate(
          (each) => (globalThis as unknown as { lacuna: Pick<Recogniser, "tag"> }).lacuna.tag(each),
          text,
        );
        assertSame(inBrowser, expected);
        found += expected.length;
      }
      expect(found).toBeGreaterThan(10);

      const text = language === "english" ? "the cats sat near Tony ." : "我们在北京大学的";
      const expected = await recogniser.tag(text);
      await page.fill("#text", text);
      await page.locator("#status").filter({ hasText: "entities in" }).waitFor();
      expect(await page.locator("#rows tr").count()).toBe(expected.length);
      expect(await page.locator("#marked").textContent()).toContain(language === "english" ? "sat" : "我们");
      expect(requests).toEqual([]);
      await recogniser.dispose();
    },
  );

  it("says what is wrong with a file that is not the exported one", async () => {
    const out = join(await temporaryFolder(), "page");
    await exporters.web(await trained("english", { encoder: small, epochs: 1 }), out);
    await writeFile(join(out, "model/vocabulary.json"), "{}");
    const { page } = await openPage(out);
    expect(await page.textContent("#status")).toMatch(/vocabulary\.json: expected \d+ bytes, got 2; load it again$/);
  });
});

function assertSame(found: readonly TaggedEntity[], expected: readonly TaggedEntity[]): void {
  const place = ({ start, end, text, type }: TaggedEntity) => ({ start, end, text, type });
  expect(found.map(place)).toEqual(expected.map(place));
  found.forEach(({ score }, i) => {
    expect(Math.abs(score - expected[i]!.score)).toBeLessThan(1e-4);
  });
}
