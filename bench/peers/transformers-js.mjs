// Without arguments: prints whether transformers.js is installed, as JSON. With a folder that was exported with
// --to transformers.js and a file of texts (a JSON list): prints a line of JSON for each text, with the ids of its sub-words
// and, for each but the special ones, its place, the tag that the pipeline gives it, and the score of that.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { folder } from "./matchers-folder.mjs";

const home = join(folder, "transformers-js");
const [exported, textsFile] = process.argv.slice(2);

if (exported === undefined) {
  process.stdout.write(JSON.stringify(existsSync(join(home, "node_modules/@huggingface/transformers"))));
} else {
  const entry = createRequire(join(home, "package.json")).resolve("@huggingface/transformers");
  const { env, pipeline } = await import(pathToFileURL(entry).href);
  env.allowRemoteModels = false;
  env.localModelPath = dirname(resolve(exported));
  const tagger = await pipeline("token-classification", basename(exported));
  for (const text of JSON.parse(readFileSync(textsFile, "utf8"))) {
    const { input_ids: ids } = tagger.tokenizer(text, { return_tensor: false });
    const found = await tagger(text, { ignore_labels: [] });
    const tags = found.map(({ index, entity, score }) => ({ index, entity, score }));
    process.stdout.write(`${JSON.stringify({ ids, tags })}\n`);
  }
}
