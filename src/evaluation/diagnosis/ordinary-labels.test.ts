import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { differing, trainInto } from "../../../test/support/runs.ts";
import { sentenceOf } from "../../../test/support/words.ts";
import { annotate, declareComplete, type Sentence } from "../../text/index.ts";
import { describeOrdinary, withoutOrdinaryLabels } from "./ordinary-labels.ts";

const label = (start: number, end: number, type: string) => ({ start, end, type });
const wrong = sentenceOf("He met Ana", { entities: [label(0, 1, "ORG"), label(2, 3, "PER")] });
/** “he” stands seven times in lower case: 7 of 7 + 1 labelled + 10 is more than 0.3. */
const rest = Array.from({ length: 7 }, (_, i) => sentenceOf(`then he met ${i}`));
const corpus: Sentence[] = [wrong, ...rest];

it("takes the labels of ordinary words away and says which", () => {
  const found = withoutOrdinaryLabels(corpus);
  expect(found.sentences).toEqual([annotate(wrong, { entities: [label(2, 3, "PER")] }), ...rest]);
  expect(describeOrdinary(found)).toBe(
    "1 label is of an ordinary word (“He” 1×), which stands in lower case elsewhere without a label",
  );
});

it("keeps them where the word is in lower case less often, and what people declared", () => {
  const fewer = corpus.slice(0, 5);
  expect(withoutOrdinaryLabels(fewer)).toEqual({ sentences: fewer, count: 0, texts: [] });
  const declared = [declareComplete(wrong), ...rest];
  expect(withoutOrdinaryLabels(declared).sentences).toEqual(declared);
});

it("trains as if they had never been there", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lacuna-ordinary-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const settings = {
    method: "ce",
    encoder: { name: "bilstm", wordWidth: 6, minimumCount: 1, units: 6 },
    head: { name: "token" },
    epochs: 2,
    threads: 1,
  };
  const dev = [sentenceOf("He met Eva", { entities: [label(2, 3, "PER")] })];
  const train = [...corpus, sentenceOf("ORG", { entities: [label(0, 1, "ORG")] })];
  const dropped = await trainInto(join(folder, "dropped"), { train, dev }, { ...settings, ordinary: "drop" });
  expect(dropped[0]).toMatchObject({ kind: "prepared", facts: { ordinary: 1 } });
  const { sentences } = withoutOrdinaryLabels(train);
  await trainInto(join(folder, "absent"), { train: [...sentences], dev }, settings);
  expect(await differing(join(folder, "dropped"), join(folder, "absent"), ["model.safetensors"])).toEqual([]);
});
