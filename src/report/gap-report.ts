import type { Score } from "../evaluation/index.ts";
import { shiftText } from "../inference/index.ts";
import type { GapStudy, ProbableGap, ShiftedResult, SystemName, SystemResult } from "../studies/index.ts";
import { type Chart, figure, type Mark, type Point } from "./figure.ts";

type Tested = Pick<SystemResult, "test">;

const systemNames: readonly SystemName[] = ["plain", "model", "complete"];
const shownExamples = 6;
const shownGaps = 10;

/** What a study found in words: a line each, for the terminal and for the report alike. */
export interface GapSummary {
  readonly setting: string;
  readonly systems: readonly { readonly title: string; readonly test: Score }[];
  readonly outcome: string;
  readonly examples: readonly { readonly type: string; readonly surface: string; readonly sentence: string }[];
  readonly gaps: readonly ProbableGap[];
  readonly gapsFound: string;
}

export function summarise(study: GapStudy): GapSummary {
  const { annotations, hidden, sentences, systems, shifted, gaps, missedByPlain } = study;
  const right = percent(gaps.right / Math.max(1, gaps.all.length), 0);
  return {
    setting:
      `${grouped(hidden)} of ${grouped(annotations)} annotations in ${grouped(sentences.train)} training sentences are hidden ` +
      `(${percent(hidden / annotations, 0)} %). All systems have the same encoder; the best state of each is chosen on ` +
      `${grouped(sentences.dev)} dev sentences. Scores are those of ${grouped(sentences.test)} test sentences.`,
    systems: systemNames.flatMap((name) => [
      { title: titleOf(name, systems[name]), test: systems[name].test },
      ...(name === "plain" ? [{ title: `  ${titleOfShifted(shifted)}`, test: shifted.test }] : []),
    ]),
    outcome: outcomeOf(study),
    examples: missedByPlain.slice(0, shownExamples),
    gaps: gaps.all.slice(0, shownGaps),
    gapsFound:
      `The model would add ${grouped(gaps.all.length)} annotations to the training data; ` +
      `${grouped(gaps.right)} of them had been hidden (${right} %), of ${grouped(hidden)} in all.`,
  };
}

function titleOf(name: SystemName, { method }: SystemResult): string {
  if (name === "complete") return `${method}, nothing hidden`;
  return name === "plain" ? `${method}, plain training` : `${method}, made for gaps`;
}

function titleOfShifted({ shift }: ShiftedResult): string {
  return `the same model, shifted by ${shiftText(shift)}`;
}

function outcomeOf({ systems: { plain, model, complete }, shifted, wonBack }: GapStudy): string {
  if (wonBack === undefined) return "Hiding annotations cost plain training nothing here.";
  const points = (from: Tested, to: Tested): string => percent(to.test.f1 - from.test.f1, 1);
  return (
    `Hiding annotations costs plain training ${points(plain, complete)} points of F1. ` +
    `Adding ${shiftText(shifted.shift)} to its score of "not an entity", the best on dev, costs no training and wins back ` +
    `${points(plain, shifted)} of them: ${percent(shifted.wonBack!, 0)} %. ` +
    `The method ${model.method} wins back ${points(plain, model)}: ${percent(wonBack, 0)} %. ${comparison(model, shifted)}`
  );
}

/** What the method is worth: the shift is the control that it must beat. */
function comparison({ method, test }: SystemResult, shifted: Tested): string {
  const beyond = percent(test.f1 - shifted.test.f1, 1);
  if (Number(beyond) > 0) return `So ${method} is better here, by ${beyond} points beyond the shift.`;
  if (Number(beyond) === 0) return `So ${method} wins nothing beyond the shift here.`;
  return `So the shift is better here: ${method} is ${beyond.slice(1)} points below it.`;
}

/** The report of a study in Markdown; the picture stands beside it. */
export function gapReport(summary: GapSummary, { picture, model }: { picture: string; model: string }): string {
  const { setting, systems, outcome, examples, gaps, gapsFound } = summary;
  const scores = systems.map(({ title, test }) => [
    title,
    percent(test.precision, 2),
    percent(test.recall, 2),
    percent(test.f1, 2),
  ]);
  return `# What gaps in the annotation do, and what can be done about them

${setting}

${markdownTable(["test set, %", "precision", "recall", "F1"], scores)}

${outcome}

![All systems on the dev set, epoch by epoch, and on the test set](${picture})

## Entities that plain training misses

${markdownTable(
  ["type", "entity", "sentence"],
  examples.map(({ type, surface, sentence }) => [type, surface, sentence]),
)}

## The most probable missing annotations in the training data

${markdownTable(
  ["probability", "type", "entity", "sentence", "was hidden"],
  gaps.map(({ probability, entity, surface, text, hidden }) => [
    probability.toFixed(4),
    entity.type,
    surface,
    text,
    hidden ? "yes" : "no",
  ]),
)}

${gapsFound}

## The model

\`${model}/\` is the model made for gaps. To tag text with it:

\`\`\`sh
lacuna tag --model ${model} --in text.txt
\`\`\`
`;
}

/** The picture of a study: F1 on dev from epoch to epoch, and the scores on the test set. */
export function gapFigure({ systems, shifted }: GapStudy): string {
  const epochs = Math.max(1, ...systemNames.flatMap((name) => systems[name].history.map(({ epoch }) => epoch)));
  const learning: Chart = {
    title: "F1 on the dev set",
    x: { label: "epochs", domain: [0, epochs] },
    y: { label: "%", domain: [0, 100] },
    marks: systemNames.flatMap((each): Mark[] => {
      const { history } = systems[each];
      const name = titleOf(each, systems[each]);
      const points = history.map(({ epoch, dev }): Point => [epoch, 100 * (dev?.f1 ?? 0)]);
      const learned: Mark[] = [
        { name, kind: "line", points },
        { name, kind: "points", points },
      ];
      if (each !== "plain") return learned;
      // The shift is that of the model's best state, from which it lifts it.
      const best = history.filter(({ improved }) => improved).at(-1);
      const at = best?.epoch ?? epochs;
      const lifted: Point = [at, 100 * shifted.dev.f1];
      const title = titleOfShifted(shifted);
      return [
        ...learned,
        { name: title, kind: "ranges", points: [[at, 100 * (best?.dev?.f1 ?? 0)], lifted] },
        { name: title, kind: "points", points: [lifted] },
      ];
    }),
  };
  const tested = systemNames.flatMap((name) => [
    { name: titleOf(name, systems[name]), test: systems[name].test },
    ...(name === "plain" ? [{ name: titleOfShifted(shifted), test: shifted.test }] : []),
  ]);
  const scores: Chart = {
    title: "Scores on the test set",
    x: {
      label: "",
      domain: [-0.5, 2.5],
      ticks: ["precision", "recall", "F1"].map((label, at) => ({ at, label })),
    },
    y: { label: "%", domain: [0, 100] },
    marks: tested.flatMap(({ name, test }, i): Mark[] => {
      const points = [test.precision, test.recall, test.f1].map(
        (score, at): Point => [at + (i - (tested.length - 1) / 2) * 0.17, 100 * score],
      );
      const stems = points.flatMap(([x, y]): Point[] => [
        [x, 0],
        [x, y],
      ]);
      return [
        { name, kind: "ranges", points: stems },
        { name, kind: "points", points },
      ];
    }),
  };
  return figure([learning, scores]);
}

/** `81.2`: a fraction of 1 as a percentage. */
function percent(share: number, digits: number): string {
  return (100 * share).toFixed(digits);
}

/** `12,345` */
function grouped(value: number): string {
  return value.toLocaleString("en-GB");
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function escaped(cell: string): string {
  return cell.replaceAll(/[\\|*_`[\]<]/g, "\\$&").replaceAll(/\s+/g, " ");
}
