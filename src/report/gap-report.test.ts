import { describe, expect, it } from "vitest";
import { evaluate } from "../evaluation/index.ts";
import type { GapStudy, SystemResult } from "../studies/gap-study.ts";
import { annotate, type Entity, tokenise, wholly } from "../text/index.ts";
import { gapFigure, gapReport, summarise } from "./gap-report.ts";

const [sentence] = tokenise("Ada met Bob and Eve [today]").sentences;
const people: Entity[] = [0, 2, 4].map((start) => ({ start, end: start + 1, type: "PER" }));
const gold = annotate(sentence!, { entities: people, complete: wholly(8) });

/** A system that finds the first so many of the three people. */
async function system(method: SystemResult["method"], found: number): Promise<SystemResult> {
  const predicted = annotate(sentence!, { entities: people.slice(0, found) });
  const test = await evaluate([{ gold, predicted }]);
  const record: SystemResult["history"][number] = {
    kind: "evaluation",
    epoch: 1,
    loss: 1,
    dev: test,
    improved: true,
    negatives: 0,
  };
  return { method, test, history: [record, { ...record, epoch: 2 }] };
}

async function study(found: { plain: number; model: number; shifted?: number }): Promise<GapStudy> {
  const { test } = await system("ce", found.shifted ?? 2);
  return {
    annotations: 40,
    hidden: 24,
    sentences: { train: 30, dev: 5, test: 1 },
    systems: {
      plain: await system("ce", found.plain),
      model: await system("uniform", found.model),
      complete: await system("ce", 3),
    },
    shifted: { shift: -2.5, dev: test, test, wonBack: 0.25 },
    wonBack: 0.6,
    missedByPlain: [{ type: "PER", surface: "Bob", sentence: gold.text }],
    gaps: {
      all: Array.from({ length: 12 }, (_, i) => ({
        sentence: i,
        entity: people[0]!,
        surface: `name ${i}`,
        text: "a|b",
        probability: 1 - i / 100,
        hidden: i % 4 !== 0,
      })),
      right: 9,
    },
  };
}

describe("the summary of a study", () => {
  it("says in words what the numbers are", async () => {
    const { setting, systems, outcome, gaps, gapsFound } = summarise(await study({ plain: 1, model: 2 }));
    expect(setting).toContain("24 of 40 annotations in 30 training sentences are hidden (60 %).");
    expect(systems.map(({ title }) => title)).toEqual([
      "ce, plain training",
      "  the same model, shifted by -2.5",
      "uniform, made for gaps",
      "ce, nothing hidden",
    ]);
    // F1 of 1, 2 and 3 right of 3: 2/4, 4/5, 1.
    expect(outcome).toBe(
      'Hiding annotations costs plain training 50.0 points of F1. Adding -2.5 to its score of "not an entity", the best on dev, ' +
        "costs no training and wins back 30.0 of them: 25 %. The method uniform wins back 30.0: 60 %. " +
        "So uniform wins nothing beyond the shift here.",
    );
    expect(gaps.map(({ surface }) => surface)).toEqual(Array.from({ length: 10 }, (_, i) => `name ${i}`));
    expect(gapsFound).toBe(
      "The model would add 12 annotations to the training data; 9 of them had been hidden (75 %), of 24 in all.",
    );
  });

  it("says which of method and shift is better, and by how much", async () => {
    // F1 of 1, 2 and 3 right of 3: 2/4, 4/5, 1.
    const better = summarise(await study({ plain: 1, model: 3, shifted: 2 })).outcome;
    expect(better).toContain("So uniform is better here, by 20.0 points beyond the shift.");
    const worse = summarise(await study({ plain: 1, model: 1, shifted: 2 })).outcome;
    expect(worse).toContain("So the shift is better here: uniform is 30.0 points below it.");
  });

  it("does not divide by a loss that is not there", async () => {
    const { wonBack: _, ...nothing } = await study({ plain: 3, model: 3 });
    expect(summarise(nothing).outcome).toBe("Hiding annotations cost plain training nothing here.");
  });
});

it("the report is Markdown whose cells hold any text", async () => {
  const report = gapReport(summarise(await study({ plain: 1, model: 2 })), { picture: "p.svg", model: "best" });
  expect(report).toContain("| uniform, made for gaps | 100.00 | 66.67 | 80.00 |\n");
  expect(report).toContain("](p.svg)");
  expect(report).toContain("| PER | Bob | Ada met Bob and Eve \\[today\\] |");
  expect(report).toContain("| 0.9900 | PER | name 1 | a\\|b | yes |\n");
  expect(report).toContain("lacuna tag --model best --in text.txt");
});

it("the figure has a line for each training on dev, a dot for the shift, and the scores of all on test", async () => {
  const svg = gapFigure(await study({ plain: 1, model: 2 }));
  expect(svg.match(/<polyline /g)).toHaveLength(3);
  // Two epochs of three trainings and the shift, three scores of each of the four, and a dot in each of two legends.
  expect(svg.match(/<circle /g)).toHaveLength(3 * 2 + 1 + 3 * 4 + 2 * 4);
  for (const word of ["precision", "recall", "F1", "uniform, made for gaps", "the same model, shifted by -2.5"])
    expect(svg).toContain(`>${word}<`);
});

it("the dot of the shift stands at the best epoch of the plain model", async () => {
  const made = await study({ plain: 1, model: 2 });
  const [first, second] = made.systems.plain.history;
  const plain = { ...made.systems.plain, history: [first!, { ...second!, improved: false }] };
  const dots = (svg: string): string[] =>
    [...svg.matchAll(/<circle cx="([\d.]+)" cy="[\d.]+" r="3" fill="([^"]+)"/g)].map(([, x, fill]) => `${fill} ${x}`);
  // The colours go by the order of names: plain is the first, its shift the second. The axis has two epochs from 60 to 416.
  expect(dots(gapFigure(made)).filter((dot) => dot.startsWith("#d9722b"))[0]).toBe("#d9722b 416");
  const early = gapFigure({ ...made, systems: { ...made.systems, plain } });
  expect(dots(early).filter((dot) => dot.startsWith("#d9722b"))[0]).toBe("#d9722b 238");
});
