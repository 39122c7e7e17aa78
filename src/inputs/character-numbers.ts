import type { Sentence } from "../text/index.ts";
import { alphabetOf, type Reading, readingsOf } from "./character-readings.ts";
import type { Numbers } from "./numbers.ts";

export interface CharacterOptions {
  /** By number. */
  readonly characters: readonly string[];
  /** The number of characters that are not known. */
  readonly unknown: number;
  /** What stands before and behind a text. */
  readonly before: string;
  readonly after: string;
}

/** Sentences as two language models over characters read them. */
export interface CharacterNumbers {
  /** `[steps, batch]`: characters, padded with 0. */
  readonly forward: Numbers;
  readonly backward: Numbers;
  /** `[batch, time]`: the place among all of `[steps, batch]` whose state is that of a word. */
  readonly forwardAt: Numbers;
  readonly backwardAt: Numbers;
}

export function characterNumbers({
  characters,
  unknown,
  before,
  after,
}: CharacterOptions): (sentences: readonly Sentence[], time: number) => CharacterNumbers {
  const alphabet = alphabetOf({ characters });
  const options = { unknown, document_start: before, end: after };
  return (sentences, time) => {
    const readings = sentences.map((sentence) => readingsOf(sentence, options, alphabet));
    const [forward, forwardAt] = direction(
      readings.map((each) => each.forward),
      time,
    );
    const [backward, backwardAt] = direction(
      readings.map((each) => each.backward),
      time,
    );
    return { forward, forwardAt, backward, backwardAt };
  };
}

function direction(readings: readonly Reading[], time: number): [ids: Numbers, at: Numbers] {
  const rows = readings.length;
  const steps = readings.reduce((most, { ids }) => Math.max(most, ids.length), 1);
  const ids = new Int32Array(steps * rows);
  const at = new Int32Array(rows * time);
  readings.forEach((reading, row) => {
    reading.ids.forEach((id, step) => {
      ids[step * rows + row] = id;
    });
    reading.at.forEach((place, word) => {
      at[row * time + word] = place * rows + row;
    });
  });
  return [
    { data: ids, shape: [steps, rows] },
    { data: at, shape: [rows, time] },
  ];
}
