import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildMatcher, deserialise, readDictionary, readSurfaces, serialise } from "../../src/lexicon/index.ts";
import { tokenise } from "../../src/text/tokenise.ts";
import { ensureEqual, type Target } from "../target.ts";

const sample = tokenise("Ana Lopes of the Bank of China moved to Lisbon; lisbon LISBON 東京").sentences[0]!;

const dictionary = (ending: string, seeds: readonly string[]): Target => ({
  name: `dictionary-${ending}`,
  shape: ending === "jsonl" ? "json-lines" : "lines",
  weight: 0.3,
  seeds: async () => seeds.map((seed) => Buffer.from(seed)),
  async run(input, scratch, variant) {
    const file = join(scratch, `names.${ending}`);
    writeFileSync(file, input);
    if ((variant & 15) === 15) await readSurfaces(file);
    const columns = variant & 1 ? "surface-type" : "type-surface";
    const entries = await readDictionary(file, { columns, anyCase: (variant & 2) === 2 });
    const matcher = buildMatcher(entries, {
      folding: { case: (variant & 2) === 2, width: (variant & 4) === 4, whitespace: variant & 8 ? "ignore" : "exact" },
    });
    const again = deserialise(serialise(matcher));
    ensureEqual(again.find(sample), matcher.find(sample), "dictionary: matches before and after saving");
  },
});

export const lexiconTargets: readonly Target[] = [
  dictionary("txt", ["Lisbon\nBank of China\n東京\n"]),
  dictionary("tsv", ["Lisbon\tLOC\nAna Lopes\tPER\nBank of China\tORG\n"]),
  dictionary("jsonl", [
    '{"label":"LOC","pattern":"Lisbon"}\n{"label":"ORG","pattern":[{"TEXT":"Bank"},{"TEXT":"of"}],"id":"b"}\n',
    '{"label":"LOC","pattern":"Lisbon"}\n{"label":"ORG","pattern":[{"TEXT":"Bank"},{"LOWER":"of"},{"LOWER":"china"}],"id":"b"}\n',
  ]),
  {
    name: "compiled-dictionary",
    shape: "bytes",
    seeds: async () => [
      Buffer.from(serialise(buildMatcher([{ surface: "Lisbon", type: "LOC", dictionary: "d" }]))),
      Buffer.from(
        serialise(
          buildMatcher(
            ["Ana", "Ana Lopes", "Bank of China", "lisbon"].map((surface) => ({ surface, type: "X", dictionary: "d" })),
            { folding: { case: true } },
          ),
        ),
      ),
    ],
    async run(input) {
      const matcher = deserialise(withChecksum(input), "memory");
      for (const { key } of matcher.find(sample)) matcher.entries(key);
    },
  },
];

/** Damage behind a wrong checksum is never looked at; half of the inputs get a right one. */
function withChecksum(bytes: Buffer): Uint8Array {
  if (bytes.length < 20 || bytes[16]! & 1) return bytes;
  const copy = Buffer.from(bytes);
  for (let sum = 0; sum < 2; sum++) {
    try {
      deserialise(copy);
      return copy;
    } catch {
      copy.writeUInt32LE(checksumOf(copy), 16);
    }
  }
  return copy;
}

/** The rule of the format, written down a second time. */
function checksumOf(bytes: Buffer): number {
  const padded = Buffer.alloc(Math.ceil(bytes.length / 4) * 4);
  bytes.copy(padded);
  let sum = 0;
  for (let at = 20; at < padded.length; at += 4) {
    sum = (Math.imul(sum ^ padded.readInt32LE(at), 0x01000193) + 0x9e3779b9) | 0;
  }
  let mixed = sum;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
