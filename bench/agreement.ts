/** What a model finds, beside what is found with its exports: ONNX Runtime for Node, a real browser, transformers.js. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { exporters, exportModel, openExported } from "../src/export/index.ts";
import { readAll } from "../src/formats/index.ts";
import { Recogniser, type TaggedEntity } from "../src/inference/index.ts";
import { InputError } from "../src/util/errors.ts";
import { inBrowser } from "./agreement-browser.ts";
import { withTransformersJs } from "./agreement-transformers-js.ts";
import { textOf } from "./serve.ts";

const { values } = parseArgs({
  options: {
    model: { type: "string" },
    data: { type: "string", default: "samples/train.conll" },
    count: { type: "string", default: "1000" },
  },
});
if (values.model === undefined) throw new Error("npm run agreement -- --model DIR [--data FILE] [--count N]");

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const folder = mkdtempSync(join(tmpdir(), "lacuna-agreement-"));
try {
  const documents = await readAll([values.data]);
  const texts = documents
    .flatMap(({ sentences }) => sentences)
    .slice(0, Number(values.count))
    .map(textOf);
  const recogniser = await Recogniser.load(values.model);
  const expected = await inTurn(texts, (text) => recogniser.tag(text));
  await recogniser.dispose();
  say(`${texts.length} sentences, ${expected.flat().length} entities by the recogniser`);

  const [onnx, page, js] = ["onnx", "page", "js"].map((name) => join(folder, name)) as [string, string, string];
  await exportModel(values.model, onnx);
  const exported = await openExported(onnx);
  say(compared("onnxruntime-node", await inTurn(texts, (text) => exported.tag(text)), expected));
  exportPage(values.model, page);
  say(compared("onnxruntime-web in a browser", await inBrowser(page, texts), expected));
  try {
    await exporters["transformers.js"](values.model, js);
    say(await withTransformersJs(js, onnx, exported, texts));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    say(`transformers.js: left out; ${error.message}`);
  }
  await exported.dispose();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The page as users get it, with what `npm run build` made of it. */
function exportPage(model: string, out: string): void {
  const args = ["dist/cli/main.js", "export", "--model", model, "--out", out, "--to", "web", "--quiet"];
  const { status } = spawnSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`lacuna export --to web ended with ${status}`);
}

async function inTurn<T>(texts: readonly string[], tag: (text: string) => Promise<T>): Promise<T[]> {
  const found: T[] = [];
  for (const text of texts) found.push(await tag(text));
  return found;
}

function compared(
  name: string,
  found: readonly (readonly TaggedEntity[])[],
  expected: readonly (readonly TaggedEntity[])[],
): string {
  const places = (entities: readonly TaggedEntity[]): string =>
    entities.map(({ start, end, type }) => `${start} ${end} ${type}`).join();
  const differing = expected.filter((entities, i) => places(entities) !== places(found[i]!)).length;
  const differences = expected.flatMap((entities, i) =>
    entities.map(({ score }, k) => Math.abs(score - (found[i]![k]?.score ?? Number.POSITIVE_INFINITY))),
  );
  return `${name}: ${differing} sentences with other entities, probabilities differ by ${Math.max(0, ...differences).toExponential(1)} at most`;
}
