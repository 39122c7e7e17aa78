import { expect, it } from "vitest";
import type { Result } from "../studies/results.ts";
import { makeResult, makeStudy, runsOf } from "../studies/study.suite.ts";
import { encoderLabel } from "./encoder-label.ts";

const [run] = runsOf(makeStudy());

function resultWith(encoder: string, all: number, bilstm: object = { vectors: null }): Result {
  const result = makeResult(run!, [1]);
  // As results have it that were stored before the options of encoders stood in `encoder`.
  const settings = { ...result.settings, encoder, bilstm: { units: 64, ...bilstm } };
  return { ...result, settings, parameters: { all, words: 400_000 } };
}

it.each([
  [[resultWith("bilstm", 1_000_000)], "BiLSTM 64; 1.0 M (400 k word vectors)"],
  [[resultWith("bilstm", 1e6, { vectors: "some" })], "BiLSTM 64, some; 1.0 M (400 k word vectors)"],
  [[resultWith("bilstm", 1e6, { vectors: "some", tuneVectors: true })], "BiLSTM 64, some; 1.0 M (400 k word vectors)"],
  [
    [resultWith("bilstm", 1e6, { vectors: "some", tuneVectors: false })],
    "BiLSTM 64, some fixed; 1.0 M (400 k word vectors)",
  ],
  [[resultWith("transformer:@scope/small", 22_700_000)], "small; 22.7 M (400 k word vectors)"],
  [
    [resultWith("transformer:models/a", 2e6), resultWith("transformer:models/a", 3e6)],
    "a; 2.0 M to 3.0 M (400 k word vectors)",
  ],
  [[resultWith("lebert:models/a", 2e6)], "lebert, a; 2.0 M (400 k word vectors)"],
  [[resultWith("flat", 2e6)], "flat; 2.0 M (400 k word vectors)"],
  [
    [
      {
        ...makeResult(run!, [1]),
        settings: {
          encoder: {
            name: "stack",
            sources: [
              { name: "words", from: "a/glove.txt" },
              { name: "transformer", from: "m", train: "top:2" },
            ],
            context: { layers: 1, units: 256 },
          },
        },
      },
    ],
    "words glove.txt + transformer m top:2, BiLSTM 256; 2.5 M (1.0 M word vectors)",
  ],
  [[makeResult(run!, [1])], "BiLSTM 200; 2.5 M (1.0 M word vectors)"],
])("names the encoder and its size: %#", (results, label) => {
  const { names, size } = encoderLabel(results);
  expect(`${names.join(" / ")}; ${size}`).toBe(label);
});

it("leaves word vectors out that nobody counted", () => {
  const uncounted = { ...makeResult(run!, [1]), parameters: { all: 2e6, words: 0 } };
  expect(encoderLabel([uncounted]).size).toBe("2.0 M");
  expect(encoderLabel([uncounted, makeResult(run!, [1])]).size).toBe("2.0 M to 2.5 M (1.0 M word vectors)");
});
