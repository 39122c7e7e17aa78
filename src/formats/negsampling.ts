import { type Document, tokenTexts } from "../text/index.ts";
import { messageOf } from "../util/errors.ts";
import type { FileFormat, ReadOptions } from "./format.ts";
import * as limits from "./limits/index.ts";
import { type PythonValue, parsePythonLiteral, pythonString } from "./python-literal.ts";
import { type Fail, jsonRows, listOf, type Row, stringOf, stringsOf } from "./rows.ts";
import type { Source } from "./source.ts";
import { entityAnnotation, inclusiveEntity, tokenDocument } from "./token-records.ts";

/** The list of the NegSampling-NER code: tokens and `(first, last, label)` as Python literals in strings. */
export const negsampling: FileFormat = {
  name: "negsampling",
  title: "NegSampling-NER JSON",
  shape: '"sentence" and "labeled entities"',
  storage: "file",
  extensions: [],
  silence: "text without a label is unknown unless the caller declares it negative",
  limits: [
    limits.ids,
    limits.documents,
    limits.spacing,
    limits.secondTypes,
    limits.scores,
    limits.provenance,
    limits.rejections,
    limits.unsure,
    limits.silentCompleteness,
  ],
  recognises: ({ keys }) => keys?.has("sentence") === true && keys.has("labeled entities"),
  read,
  async *write(documents) {
    let first = true;
    for await (const { sentences } of documents) {
      for (const sentence of sentences) {
        const entities = sentence.entities.map(
          ({ start, end, type }) => `(${start}, ${end - 1}, ${pythonString(type)})`,
        );
        const row = {
          sentence: `[${tokenTexts(sentence).map(pythonString).join(", ")}]`,
          "labeled entities": `[${entities.join(", ")}]`,
        };
        yield `${first ? "[" : ","}\n ${JSON.stringify(row)}`;
        first = false;
      }
    }
    yield first ? "[]\n" : "\n]\n";
  },
};

async function* read(source: Source, options: ReadOptions): AsyncGenerator<Document, void, undefined> {
  for await (const row of jsonRows(source, "negsampling")) {
    const { fail } = row;
    const tokens = stringsOf(literal(row, "sentence"), "sentence", fail);
    const items = listOf(literal(row, "labeled entities"), "labeled entities", fail);
    const entities = items.map((item) => inclusiveEntity(listOf(item, "a labeled entity", fail), tokens.length, fail));
    yield tokenDocument(undefined, [tokens], () => entityAnnotation(tokens.length, entities, options, fail));
  }
}

function literal({ fields, fail }: Row, key: string): PythonValue {
  const text = stringOf(fields[key], key, fail);
  return attempt(() => parsePythonLiteral(text), key, fail);
}

function attempt<T>(work: () => T, what: string, fail: Fail): T {
  try {
    return work();
  } catch (error) {
    return fail(`${what}: ${messageOf(error)}`);
  }
}
