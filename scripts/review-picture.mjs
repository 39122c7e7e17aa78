// Makes docs/images/review.png: the review page on the sample's own text, labelled by its dictionary.
// `node scripts/review-picture.mjs`, after a build; with a folder as argument, pictures at three widths, light and dark.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import chromium from "@sparticuz/chromium";
import { chromium as playwright } from "playwright-core";

const root = fileURLToPath(new URL("..", import.meta.url));
const program = join(root, "dist/cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "lacuna-picture-"));
const target = process.argv[2];

/** What a reader of the sample would say of some names in it. */
const names = [
  ["Savannah Warwick", "PER", 0.97],
  ["Coastal Protection Agency", "ORG", 0.96],
  ["Andrei Jankovic", "PER", 0.95],
  ["Simon Gale", "PER", 0.94],
  ["Weber GmbH", "ORG", 0.93],
  ["Okeladun School of Economics", "ORG", 0.92],
  ["Rain over Lisbon", "PROD", 0.9],
  ["Devon Air", "ORG", 0.89],
  ["Juma Okonkwo", "PER", 0.88],
  ["Monte Claro", "LOC", 0.87],
  ["Tin Sparrows", "ORG", 0.85],
  ["Alberta", "LOC", 0.84],
  ["Hamilton Central", "LOC", 0.83],
  ["Trieste", "ORG", 0.81],
  ["Valencia", "LOC", 0.91],
  ["Tuscany", "LOC", 0.82],
  ["Juma", "PER", 0.8],
  ["Jana Pavlovic", "PER", 0.79],
  ["Medina Maritime Museum", "ORG", 0.78],
  ["Plotline 4.1", "PROD", 0.77],
  ["Quarry Air", "ORG", 0.74],
  ["Hope Road", "LOC", 0.72],
  ["Moel Ferris", "LOC", 0.7],
];
const words = [
  ["May", "PER", 0.86],
  ["Hope", "PER", 0.71],
];

/** The suspicions that follow from comparing these names with what the dictionary labelled. */
function* suspicions(documents) {
  for (const [number, { text, sentences }] of documents.entries()) {
    const entities = sentences.flatMap(({ tokens, entities = [] }) =>
      entities.map(({ start, end, type }) => ({ start: tokens[2 * start], end: tokens[2 * end - 1], type })),
    );
    for (const [surface, type, score] of names)
      for (const [start, end] of occurrences(text, surface)) {
        const place = { document: number + 1, start, end, text: surface, type, score };
        const given = entities.find((entity) => entity.start < end && entity.end > start);
        const same = given?.start === start && given.end === end;
        if (given === undefined)
          yield { kind: "missing", ...place, given: null, reasons: missing(surface, type, score) };
        else if (same && given.type !== type)
          yield {
            kind: "type",
            ...place,
            given,
            reasons: [
              `In this sentence it reads like ${type}: ${percent(score)} against ${percent(1 - score)} for ${given.type}.`,
              `The dictionary knows “${surface}” as ${given.type}.`,
            ],
          };
        else if (!same)
          yield {
            kind: "boundary",
            ...place,
            given,
            reasons: [
              `“${surface}” is one name: the words around “${text.slice(given.start, given.end)}” belong to it.`,
              `The longer span has ${percent(score)}, the labelled one ${percent(1 - score)}.`,
            ],
          };
      }
    for (const [surface, type, score] of words)
      for (const [start, end] of occurrences(text, surface)) {
        const given = entities.find((entity) => entity.start === start && entity.end === end && entity.type === type);
        if (given !== undefined)
          yield {
            kind: "wrong",
            document: number + 1,
            start,
            end,
            text: surface,
            type,
            score,
            given,
            reasons: [
              `It reads like an ordinary word here: ${percent(score)}.`,
              `“${surface}” is in the dictionary, and an ordinary word in most places.`,
            ],
          };
      }
  }
}

function missing(surface, type, score) {
  return [
    `A model that has not seen this sentence reads it as ${type}: ${percent(score)}.`,
    surface.includes(" ")
      ? `The dictionary does not have “${surface}”.`
      : `“${surface}” stands unlabelled in other places too.`,
  ];
}

const percent = (share) => `${Math.round(100 * share)} %`;

function* occurrences(text, surface) {
  for (let at = text.indexOf(surface); at >= 0; at = text.indexOf(surface, at + 1)) yield [at, at + surface.length];
}

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
  lacuna(
    "label",
    "--dict",
    join(root, "samples/dictionary.tsv"),
    "--in",
    join(root, "samples/raw.txt"),
    "--out",
    "train.jsonl",
  );
  const documents = readFileSync(join(folder, "train.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const found = [...suspicions(documents)].sort((a, b) => b.score - a.score);
  const lines = found.map((each) => ({ ...each, group: `${each.text}|${each.kind}|${each.type}` }));
  writeFileSync(join(folder, "audit.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));

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
} finally {
  rmSync(folder, { recursive: true, force: true });
}
