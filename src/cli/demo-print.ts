import type { GapSummary } from "../report/index.ts";
import { percent } from "./evaluate-print.ts";
import { list, table } from "./table.ts";
import { wrapped } from "./terminal.ts";

/** The summary of a study for the terminal. */
export function describeStudy({ setting, systems, outcome, examples, gaps, gapsFound }: GapSummary): string {
  const scores = systems.map(({ title, test }) => [
    title,
    percent(test.precision),
    percent(test.recall),
    percent(test.f1),
  ]);
  const missed = examples.map(({ type, surface, sentence }) => [type, surface, excerpt(sentence, surface)]);
  const missing = gaps.map(({ probability, hidden, entity, surface, text }) => [
    probability.toFixed(4),
    hidden ? "was hidden" : "was not",
    entity.type,
    surface,
    excerpt(text, surface),
  ]);
  return [
    wrapped(setting),
    table([["test set, %", "precision", "recall", "F1"], ...scores]),
    wrapped(outcome),
    ["Entities that plain training misses:", ...list(missed)].join("\n"),
    ["The most probable missing annotations in the training data:", ...list(missing), wrapped(gapsFound)].join("\n"),
  ].join("\n\n");
}

const excerptWidth = 56;

/** A piece of a sentence around a name in it. */
export function excerpt(sentence: string, name: string): string {
  if (sentence.length <= excerptWidth) return sentence;
  const middle = sentence.indexOf(name) + name.length / 2;
  const start = Math.min(Math.max(0, Math.round(middle - excerptWidth / 2)), sentence.length - excerptWidth);
  const words = sentence.slice(start, start + excerptWidth);
  const whole = start > 0 ? words.replace(/^\S*\s/, "") : words;
  const end = start + excerptWidth < sentence.length;
  return `${start > 0 ? "… " : ""}${end ? whole.replace(/\s\S*$/, "") : whole}${end ? " …" : ""}`;
}
