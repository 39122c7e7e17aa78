import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { sharedFolder } from "./lacuna.ts";
import { startServing } from "./server.ts";
import { trainTiny } from "./tiny.ts";

const browser = await openBrowser();
if (typeof browser === "string") console.warn(`the tests of the server's page are skipped: ${browser}`);

const folder = sharedFolder();

/** Opens the page of a server; what the browser complains of is collected. */
async function openPage(url: string): Promise<{ page: Page; complaints: string[]; asked: Set<string> }> {
  if (typeof browser === "string") throw new Error(browser);
  const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
  onTestFinished(() => page.close());
  const [complaints, asked] = [[] as string[], new Set<string>()];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => complaints.push(`a dialog: ${dialog.message()}`));
  page.on("request", (request) => asked.add(new URL(request.url()).origin));
  await page.goto(url);
  return { page, complaints, asked };
}

describe.skipIf(typeof browser === "string")("the page of the server in a real browser", () => {
  beforeAll(() => trainTiny(folder, "model"));
  afterAll(async () => {
    if (typeof browser !== "string") await browser.close();
  });
  const status = (page: Page, text: string | RegExp) => page.locator("#status").filter({ hasText: text }).waitFor();

  it("marks entities, shows text as text, and leaves out what is hidden or below the least score", async () => {
    const server = await startServing(folder, "--model", "model");
    const { page, complaints, asked } = await openPage(server.url);
    const text = "<b onclick='alert(1)'>x</b> 😀 Ada lives in Oslo .";
    await page.fill("#text", text);
    await page.keyboard.press("Control+Enter");
    await status(page, /^\d entities in \d+ ms$/);
    expect((await page.locator("#marked").textContent())!.replaceAll(/PER|LOC/g, "")).toBe(text);
    expect(await page.locator("#marked b").count()).toBe(0);
    const marks = await page.locator("#marked mark").allTextContents();
    expect(marks).toEqual(expect.arrayContaining(["AdaPER", "OsloLOC"]));
    expect(await page.locator("#rows tr").count()).toBe(marks.length);
    await page.locator("#legend button", { hasText: "PER" }).click();
    expect(await page.locator("#marked mark").allTextContents()).not.toContain("AdaPER");
    await page.locator("#score").fill("1");
    await page.click("#tag");
    await status(page, "0 entities in");
    expect(complaints).toEqual([]);
    expect([...asked]).toEqual([new URL(server.url).origin]);
  });

  it("asks for the token where the server wants one, and says what was wrong", async () => {
    const server = await startServing(folder, "--model", "model", "--token", "s3cret");
    const { page } = await openPage(server.url);
    await status(page, "No answer: send the token of the server");
    await page.fill("#token", "s3cret");
    await page.fill("#text", "Ada lives in Oslo .");
    await page.click("#tag");
    await status(page, "2 entities in");
    await page.fill("#text", "x".repeat(1_100_000));
    await page.click("#tag");
    await status(page, "No answer: the body may have 1048576 bytes at most");
  });
});
