import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../../src/encoders/transformer/tiny-models.suite.ts";
import { completeSettings, train } from "../../src/methods/index.ts";
import { makeSentence, type Sentence } from "../../src/text/index.ts";
import { random } from "../../src/util/random.ts";

export type Language = "english" | "chinese";

const vocabulary: Readonly<
  Record<Language, { readonly names: readonly string[]; readonly others: readonly string[] }>
> = {
  english: {
    names: ["Tom", "Tess Malone", "Tony", "Acme Corp", "New Lisbon"],
    others: "the cats sat on a mat near hats , were there 3.5 U.S. firms — and 7 of them left .".split(" "),
  },
  chinese: {
    names: ["王小明", "李雷", "北京大学", "长城公司"],
    others: [
      ..."的在了是有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经",
    ],
  },
};
const types = ["PER", "ORG"];

export const english = sentencesOf("english", 60);
export const chinese = sentencesOf("chinese", 60);

/** Sentences with names among other words. */
function sentencesOf(language: Language, count: number): Sentence[] {
  const rng = random(1, "export", language);
  const { names, others } = vocabulary[language];
  const joiner = language === "english" ? " " : "";
  return Array.from({ length: count }, () => {
    const before = Array.from({ length: 1 + rng.below(5) }, () => others[rng.below(others.length)]!);
    const after = Array.from({ length: 1 + rng.below(5) }, () => others[rng.below(others.length)]!);
    const number = rng.below(names.length);
    const name = language === "english" ? names[number]!.split(" ") : [...names[number]!];
    const words = [...before, ...name, ...after];
    let end = -joiner.length;
    const offsets = words.flatMap((word) => {
      const start = end + joiner.length;
      end = start + word.length;
      return [start, end];
    });
    const entity = { start: before.length, end: before.length + name.length, type: types[number < 3 ? 0 : 1]! };
    return makeSentence(words.join(joiner), Int32Array.from(offsets), {
      entities: [entity],
      complete: [{ start: 0, end: words.length }],
    });
  });
}

/** A word list with the names and some other words. */
export async function lexicon(): Promise<string> {
  const file = join(await temporaryFolder(), "words.txt");
  await writeFile(
    file,
    [...vocabulary.chinese.names, "小明", "北京", "大学", "公司", "我们", "时间", "中国"].join("\n"),
  );
  return file;
}

/** A small model, trained for a moment. */
export async function trained(language: Language, more: object): Promise<string> {
  const directory = join(await temporaryFolder(), "model");
  const sentences = language === "english" ? english : chinese;
  const settings = completeSettings({
    method: "ce",
    head: { name: "token", dropout: 0 },
    epochs: 15,
    patience: 0,
    batchTokens: 64,
    rate: 0.02,
    encoderRate: 0.005,
    threads: 1,
    ...more,
  });
  const data = { train: sentences.slice(0, 50), dev: sentences.slice(50) };
  const records = train(data, settings, { directory });
  while (!(await records.next()).done);
  return directory;
}

const strange = [
  "",
  " \n\t ",
  "😀",
  "👩‍🚀🇫🇷 Tom 🏳️‍🌈",
  "e\u0301te\u0301 Tony \u200b!",
  "\ud800",
  "Tom\r\nTess Malone\r\n",
  "王小明 met Tony @北京大学",
];

/** Texts like those of training, some with signs of all kinds, one very long. */
export function generatedTexts(language: Language, count: number): string[] {
  const rng = random(2, "texts", language);
  const { names, others } = vocabulary[language];
  const joiner = language === "english" ? " " : "";
  const text = (length: number): string =>
    Array.from({ length }, () => {
      const from = rng.below(6) === 0 ? names : others;
      return from[rng.below(from.length)]!;
    }).join(joiner);
  const some = Array.from({ length: Math.max(0, count - strange.length - 1) }, () => text(1 + rng.below(14)));
  return [...strange, text(900), ...some];
}
