import { expect } from "vitest";
import { columns, type Folder, run } from "./lacuna.ts";

const people = ["Ada", "Bob", "Eve", "Ivan", "Mia", "Tom"];
const places = ["Paris", "Rome", "Oslo", "Lima", "Cairo", "Bonn"];

/** A language of four sentence patterns that the smallest model learns in a second. */
export const corpus = columns(
  people
    .flatMap((person, i) => [
      ...places.map((place) => `${person}/B-PER lives/O in/O ${place}/B-LOC ./O`),
      `${person}/B-PER met/O ${people[(i + 1) % people.length]}/B-PER today/O ./O`,
      `They/O flew/O to/O ${places[i]}/B-LOC ./O`,
      "Nothing/O happened/O today/O ./O",
    ])
    .join(" | "),
);

/** The smallest model, as flags. */
export const tiny = [
  "encoder.units=16",
  "encoder.wordWidth=16",
  "encoder.dropout=0.1",
  "head.hidden=16",
  "batchTokens=64",
  "rate=0.02",
].flatMap((setting) => ["--set", setting]);

/** Trains a model in a folder on the corpus, until it makes no mistake in it. */
export async function trainTiny(folder: Folder, name: string): Promise<void> {
  folder.write("corpus.conll", corpus);
  const args = ["train", "--train", "corpus.conll", "--dev", "corpus.conll", "--out", name, "--epochs", "8", "--json"];
  const { code, stdout, stderr } = await run(folder, [...args, ...tiny]);
  expect(stderr).toContain(`${name}: best on dev after epoch`);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ model: name, dev: { f1: 1 }, data: { types: ["LOC", "PER"] } });
}
