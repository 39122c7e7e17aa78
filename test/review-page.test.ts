import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { contentPieces, type Item, pageFiles, parseDecisions, standalonePage } from "../src/review/index.ts";
import { documentOf, suspicion } from "../src/review/review.suite.ts";
import { type Document, surface } from "../src/text/index.ts";
import { openBrowser } from "./support/browser.ts";
import { computed } from "./support/page-work.ts";
import { serveTestReview } from "./support/review-server.ts";

const browser = await openBrowser();
if (typeof browser === "string") console.warn(`the tests of the review page are skipped: ${browser}`);

/** Every address that any page of these tests asked for. */
const asked = new Set<string>();

async function openContext(options: Parameters<Exclude<typeof browser, string>["newContext"]>[0] = {}) {
  if (typeof browser === "string") throw new Error(browser);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.on("request", (request) => asked.add(request.url()));
  onTestFinished(() => context.close());
  return context;
}

/** Opens the page and fails on anything that the browser complains of. */
async function openPage(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  page.on("pageerror", (error) => {
    throw error;
  });
  page.on("dialog", (dialog) => {
    throw new Error(`a dialog: ${dialog.message()}`);
  });
  await page.goto(address);
  await page.locator("#question").waitFor();
  return page;
}

/** Presses keys, each after what the one before brought is on the page. */
async function press(page: Page, key: string, expected: string | RegExp): Promise<void> {
  await page.keyboard.press(key);
  await page.getByRole("status").filter({ hasText: expected }).waitFor();
}

function said(documents: readonly Document[]): string[] {
  return documents.flatMap(({ sentences }) =>
    sentences.flatMap((sentence) => [
      ...sentence.entities.map((each) => `${each.type} ${surface(sentence, each)}`),
      ...sentence.rejected.map((each) => `not ${each.type} ${surface(sentence, each)}`),
      ...sentence.unsure.map((each) => `unsure ${surface(sentence, each)}`),
    ]),
  );
}

const documents = [
  documentOf("Ana Lopes met Bo in Porto near the Jordan River .", [
    ["Porto", "PER"],
    ["Jordan", "LOC"],
  ]),
  documentOf("May left . Ana Lopes stayed with Eva Silva .", [["May", "PER"]]),
  documentOf("Ana Lopes wrote ."),
];
const items: Item[] = [
  suspicion("missing", documents, 1, "Ana Lopes", "PER"),
  suspicion("missing", documents, 2, "Ana Lopes", "PER"),
  suspicion("missing", documents, 3, "Ana Lopes", "PER"),
  suspicion("type", documents, 1, "Porto", "LOC", ["Porto", "PER"]),
  suspicion("boundary", documents, 1, "Jordan River", "LOC", ["Jordan", "LOC"]),
  suspicion("wrong", documents, 2, "May", "PER", ["May", "PER"]),
  suspicion("missing", documents, 2, "Eva", "LOC"),
  suspicion("missing", documents, 1, "Bo", "PER"),
];

describe.skipIf(typeof browser === "string")("the review page", () => {
  afterAll(async () => {
    if (typeof browser !== "string") await browser.close();
  });

  it("is worked through with the keyboard alone, with undo, redo and a group", async () => {
    const server = await serveTestReview(documents, items);
    const page = await openPage(await openContext(), server.address);
    await press(page, "Shift+A", "Accepted in 3 places. Type: “Porto”");
    await press(page, "z", "Taken back in 3 places.");
    expect(server.documents()).toEqual(documents);
    await press(page, "y", "Done again in 3 places.");
    await press(page, "s", "Type: “Porto”");
    await press(page, "a", "Accepted. Boundary:");
    await press(page, "r", "Rejected. Wrong: “May”");
    await press(page, "a", "Accepted. Missing: “Eva”");
    await page.keyboard.press("2");
    await page.keyboard.press("1");
    await page.keyboard.press("ArrowRight");
    await page.getByRole("button", { name: "Label “Eva Silva” PER" }).waitFor();
    await press(page, "Enter", "Accepted. Missing: “Bo”");
    await press(page, "u", "Unsure. Everything is decided.");
    await page.getByRole("heading", { name: "Everything is decided" }).waitFor();
    expect(said(server.documents())).toEqual([
      ...["PER Ana Lopes", "LOC Porto", "LOC Jordan", "not PER Porto", "not LOC Jordan River", "unsure Bo"],
      ...["not PER May", "PER Ana Lopes", "PER Eva Silva", "not LOC Eva"],
      "PER Ana Lopes",
    ]);
    const lines = readFileSync(join(server.folder, "decisions.jsonl"), "utf8").trim().split("\n");
    expect(lines.length).toBe(1 + server.session.history.sequence);
  });

  it("goes on after it was loaded again in the middle, and still takes back", async () => {
    const server = await serveTestReview(documents, items);
    const page = await openPage(await openContext(), server.address);
    await press(page, "r", "Rejected.");
    await press(page, "a", "Accepted.");
    await page.reload();
    await page.getByText("2 of 8 decided").waitFor();
    await page.getByRole("heading", { name: "Is “Ana Lopes” a missing PER?" }).waitFor();
    await press(page, "z", "Taken back.");
    expect([1, 2, 3].map(server.session.history.status)).toEqual(["reject", "open", "open"]);
  });

  it("does not miss a key, however fast they come", async () => {
    const server = await serveTestReview(documents, items);
    const page = await openPage(await openContext(), server.address);
    await page.evaluate(`for (const key of "rarara") dispatchEvent(new KeyboardEvent("keydown", { key }))`);
    await page.getByText("6 of 8 decided").waitFor();
    const verdicts = items.map((_, i) => server.session.history.status(i + 1));
    expect(verdicts).toEqual(["reject", "accept", "reject", "accept", "reject", "accept", "open", "open"]);
  });

  it("shows in one tab what the other decided, and replaces nothing that was not seen", async () => {
    const server = await serveTestReview(documents, items);
    const context = await openContext();
    const [first, second] = [await openPage(context, server.address), await openPage(context, server.address)];
    await second.route("**/call/summary", (route) => route.abort());
    await press(first, "a", "Accepted.");
    await press(second, "r", "Another tab has decided this one in the meantime.");
    expect(server.session.history.status(1)).toBe("accept");
    expect(server.session.history.sequence).toBe(1);
    await second.unroute("**/call/summary");
    await press(first, "u", "Unsure.");
    await second.getByText("2 of 8 decided").waitFor();
    await press(second, "z", "There is nothing to undo.");
    await press(second, "s", "Missing: “Ana Lopes”");
    await press(second, "r", "Rejected.");
    expect([1, 2, 3].map(server.session.history.status)).toEqual(["accept", "unsure", "reject"]);
  });

  it("says that nothing is saved when the command is gone, and goes on when it is back", async () => {
    const server = await serveTestReview(documents, items);
    const page = await openPage(await openContext(), server.address);
    await page.route("**/call/**", (route) => route.abort());
    await page.keyboard.press("a");
    await page.getByRole("alert").filter({ hasText: "Not saved: the command does not answer" }).waitFor();
    expect(server.session.history.sequence).toBe(0);
    await page.unroute("**/call/**");
    await press(page, "a", "Accepted.");
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("filters and searches, and moves in what is left", async () => {
    const server = await serveTestReview(documents, items);
    const page = await openPage(await openContext(), server.address);
    await page.getByRole("button", { name: /^Boundary/ }).click();
    await page.getByRole("heading", { name: "Does LOC cover “Jordan River”, not “Jordan”?" }).waitFor();
    await page.getByRole("button", { name: /^Boundary/ }).click();
    await page.keyboard.press("/");
    await page.keyboard.type("eva");
    await page.getByRole("heading", { name: "Is “Eva” a missing LOC?" }).waitFor();
    expect(await page.getByRole("option", { name: /Missing/ }).count()).toBe(1);
    expect(server.session.history.sequence).toBe(0);
    await page.keyboard.press("Escape");
    await page.keyboard.press("a");
    await page.getByRole("heading", { name: "Nothing here is open" }).waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByRole("heading", { name: "Is “Ana Lopes” a missing PER?" }).waitFor();
  });

  it("keeps what is typed into the search field when answers come in between", async () => {
    const server = await serveTestReview(documents, items);
    const page = await openPage(await openContext(), server.address);
    let answer = (): void => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/call/step", async (route) => {
      await asked;
      await route.continue();
    });
    await page.getByRole("button", { name: /^Boundary/ }).click();
    await page.keyboard.press("/");
    await page.keyboard.type("jordan ri");
    answer();
    await page.getByRole("heading", { name: "Does LOC cover “Jordan River”, not “Jordan”?" }).waitFor();
    await page.keyboard.type("ver");
    expect(await page.getByRole("searchbox").inputValue()).toBe("jordan river");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Boundary/ }).click();
    const options = page.getByRole("listbox").getByRole("option");
    await page.getByRole("button", { name: /^Boundary/, pressed: false }).waitFor();
    // The search begins when typing pauses.
    const found = expect.poll(() => options.allInnerTexts(), { timeout: 30_000 });
    await found.toEqual([expect.stringContaining("Jordan River")]);
  });

  it("changes a span with the mouse, in whole tokens", async () => {
    const server = await serveTestReview(documents, items);
    const page = await openPage(await openContext(), server.address);
    const [from, to] = (await page.evaluate(placesInPassage("met Bo", 1, 6))) as [Point, Point];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
    await page.getByRole("button", { name: "Label “met Bo” PER" }).click();
    await page.getByText("1 of 8 decided").waitFor();
    expect(said(server.documents())).toContain("PER met Bo");
  });

  it("knows right to left, Chinese and emoji: the arrow that points onward moves on", async () => {
    const foreign = [documentOf("דנה לוי גרה בחיפה ."), documentOf("我在北京大学 👩‍👩‍👧😀 Bo 学习。")];
    const server = await serveTestReview(foreign, [
      suspicion("missing", foreign, 1, "דנה", "PER"),
      suspicion("missing", foreign, 2, "北京", "LOC"),
      suspicion("missing", foreign, 2, "Bo", "PER"),
    ]);
    const page = await openPage(await openContext(), server.address);
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("button", { name: "Label “דנה לוי” PER" }).waitFor();
    await press(page, "a", "Accepted.");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.getByRole("button", { name: "Label “北京大学” LOC" }).waitFor();
    await press(page, "a", "Accepted.");
    await press(page, "a", "Everything is decided.");
    expect(said(server.documents())).toEqual([
      ...["PER דנה לוי", "not PER דנה"],
      ...["LOC 北京大学", "PER Bo", "not LOC 北京"],
    ]);
  });

  it("shows hostile texts, types, reasons and names as what they are", async () => {
    const evil = `<img src=x onerror="hacked=1"><script>hacked=2</script>`;
    const text = `${evil} Ana & "Bo" \u202e reversed </p></main>`;
    const [document] = [documentOf(text)];
    const hostile = [{ ...document!, id: evil }];
    const type = `"><svg onload=hacked=3>${evil}`;
    const server = await serveTestReview(hostile, [
      { ...suspicion("missing", hostile, 1, "Ana", type), document: evil, reasons: [evil, "javascript:hacked=4"] },
      { ...suspicion("missing", hostile, 1, "Bo", "PER"), document: evil },
    ]);
    const page = await openPage(await openContext(), server.address);
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    expect(await page.locator(".passage").textContent()).toContain(evil);
    expect(await page.locator(".reasons").textContent()).toContain(evil);
    await press(page, "a", "Accepted.");
    await page.keyboard.press("ArrowUp");
    expect(await page.evaluate(() => (globalThis as { hacked?: number }).hacked)).toBeUndefined();
    expect(await page.locator("main img, main script, nav img, nav script").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("holds 100,000 suspicions in a list of a few elements, and computes little for a decision", async () => {
    const many = Array.from({ length: 100_000 }, (_, i) => documentOf(`Ana${i} left .`));
    const list = many.map((_, i) => suspicion("missing", many, i + 1, `Ana${i}`, "PER"));
    const server = await serveTestReview(many, list);
    const page = await openPage(await openContext(), server.address);
    await page.getByText("100,000 suspicions").waitFor();
    await page.evaluate(`document.querySelector(".rows").scrollTop = 1e9`);
    await page.getByRole("option", { name: /Ana99999/ }).click();
    await page.getByRole("heading", { name: "Is “Ana99999” a missing PER?" }).waitFor();
    expect(await page.locator(".row").count()).toBeLessThan(60);
    await press(page, "a", "Missing: “Ana0”");
    // Also where the list changes with every decision.
    await page.getByLabel("State").selectOption("open");
    await page.getByText("99,999 suspicions").waitFor();
    const decisions = 20;
    const before = await computed(page);
    for (let i = 0; i < decisions; i++) await press(page, "a", `Missing: “Ana${i + 1}”`);
    expect((await computed(page)) - before).toBeLessThan(50 * decisions);
    await page.getByText("99,979 suspicions").waitFor();
  }, 120_000);

  it.each(["light", "dark"] as const)(
    "has no serious finding of axe, %s",
    { timeout: 300_000 },
    async (colorScheme) => {
      const server = await serveTestReview(documents, items);
      for (const width of [1280, 800, 400]) {
        const page = await openPage(
          await openContext({ colorScheme, viewport: { width, height: 800 } }),
          server.address,
        );
        for (const state of ["missing", "type", "boundary", "wrong", "help"]) {
          if (state === "help") await page.keyboard.press("?");
          else if (state !== "missing") await page.evaluate(`document.querySelector(".kinds .kind-${state}").click()`);
          await page.waitForTimeout(150);
          expect(await findings(page), `${state} at ${width}`).toEqual([]);
        }
      }
    },
  );

  it("as a file from disk keeps the decisions, and gives them back as the command understands them", async () => {
    const server = await serveTestReview(documents, items);
    const file = join(server.folder, "page.html");
    const pieces = standalonePage(await pageFiles(), contentPieces(server.review, { data: "d", audit: "a" }));
    writeFileSync(file, [...pieces].join(""));
    const page = await openPage(await openContext({ acceptDownloads: true }), pathToFileURL(file).href);
    await press(page, "Shift+A", "Accepted in 3 places.");
    await press(page, "r", "Rejected.");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download decisions" }).click();
    const given = readFileSync(await (await download).path(), "utf8");
    const history = server.review.historyOf(parseDecisions(given, "decisions.jsonl"), "decisions.jsonl");
    expect(items.map((_, i) => history.status(i + 1))).toEqual([
      ...["accept", "accept", "accept", "reject"],
      ...["open", "open", "open", "open"],
    ]);
    await page.reload();
    await page.getByText("4 of 8 decided").waitFor();
    await press(page, "z", "Taken back.");
  });

  it("asks nobody but the command for anything", () => {
    const outside = [...asked].filter((address) => !/^(http:\/\/127\.0\.0\.1:\d+\/|data:|blob:|file:)/.test(address));
    expect(outside).toEqual([]);
    expect(asked.size).toBeGreaterThan(10);
  });
});

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A program for the page: where characters of a text in the passage are, counted from its beginning. */
function placesInPassage(text: string, ...offsets: readonly number[]): string {
  return `
    const piece = [...document.querySelectorAll("[data-text]")].find((each) => each.textContent.includes("${text}"));
    const start = piece.textContent.indexOf("${text}");
    [${offsets.join()}].map((offset) => {
      const range = document.createRange();
      range.setStart(piece.firstChild, start + offset);
      range.setEnd(piece.firstChild, start + offset + 1);
      const { left, top, width, height } = range.getBoundingClientRect();
      return { x: left + width / 4, y: top + height / 2 };
    })`;
}

/** Serious findings, each with the elements. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
