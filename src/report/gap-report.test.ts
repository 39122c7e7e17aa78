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

async function study(found: { plain: number; model: number }): Promise<GapStudy> {
  return {
    annotations: 40,
    hidden: 24,
    sentences: { train: 30, dev: 5, test: 1 },
    systems: {
      plain: await system("ce", found.plain),
      model: await system("uniform", found.model),
      complete: await system("ce", 3),
    },
    shifted: { shift: -2.5, test: (await system("ce", 2)).test },
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
      "Hiding annotations costs plain training 50.0 points of F1. The method uniform wins back 30.0 of them: 60 %. " +
        'Adding -2.5 to the score of "not an entity", without any training, wins back 30.0.',
    );
    expect(gaps.map(({ surface }) => surface)).toEqual(Array.from({ length: 10 }, (_, i) => `name ${i}`));
    expect(gapsFound).toBe(
      "The model would add 12 annotations to the training data; 9 of them had been hidden (75 %), of 24 in all.",
    );
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

it("the figure has a line for each system on dev and its three scores on test", async () => {
  const svg = gapFigure(await study({ plain: 1, model: 2 }));
  expect(svg.match(/<polyline /g)).toHaveLength(3);
  // Two epochs and three scores for each of three systems, and a dot in each of two legends.
  expect(svg.match(/<circle /g)).toHaveLength(3 * 2 + 3 * 3 + 2 * 3);
  for (const word of ["precision", "recall", "F1", "uniform, made for gaps"]) expect(svg).toContain(`>${word}<`);
});
