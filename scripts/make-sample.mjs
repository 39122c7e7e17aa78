// Writes the sample corpus: node scripts/make-sample.mjs [seed]. The committed files are those of the default seed.
import { writeFileSync } from "node:fs";
import { defaultSeed, generate } from "./sample/generate.mjs";

const argument = process.argv[2] ?? `${defaultSeed}`;
if (!/^\d+$/.test(argument)) {
  console.error(`make-sample: the seed must be a whole number from 0, got "${argument}"`);
  process.exit(2);
}
const { files } = generate(Number(argument));
for (const [name, content] of Object.entries(files)) {
  const file = new URL(`../samples/${name}`, import.meta.url);
  writeFileSync(file, content);
  console.log(`samples/${name}: ${content.length} characters`);
}
