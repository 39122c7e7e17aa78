import { describe, expect, it } from "vitest";
import { type FigurePlan, figureSchema } from "../studies/figure-schema.ts";
import { makeStudy, measureAll } from "../studies/study.suite.ts";
import { studyFigure } from "./study-figure.ts";

const study = makeStudy({ data: { toy: { folder: "toy", title: "Toy" }, more: "more" } });
const measured = measureAll(study, ({ method, seed }) => [method === "ce" ? 2 : 8, Number(seed)]);

function plan(parts: object): FigurePlan {
  return figureSchema.parse({ name: "f", title: "F1", x: "rate", series: ["method"], panels: "data", ...parts });
}

describe("a figure", () => {
  it("has a chart for each panel and a line for each series, with the spread over seeds", () => {
    const svg = studyFigure(plan({}), study, measured)!;
    expect(svg).toContain(">F1, Toy</text>");
    expect(svg).toContain(">F1, more</text>");
    expect(svg.match(/<polyline /g)).toHaveLength(4);
    expect(svg.match(/<circle [^>]*r="3"/g)).toHaveLength(8);
  });

  it("shows epochs, and only the runs it is told to", () => {
    const svg = studyFigure(
      plan({ x: "epoch", y: "missampling", where: { method: "ce", rate: 0.5, data: "toy" } }),
      study,
      measured,
    )!;
    expect(svg.match(/<polyline /g)).toHaveLength(1);
    expect(svg).toContain(">missampling, %</text>");
  });

  it("has a line for each of several measures", () => {
    const where = { data: "toy" };
    const svg = studyFigure(plan({ y: ["dev.f1", "test.f1"], panels: undefined, where }), study, measured)!;
    expect(svg.match(/<polyline /g)).toHaveLength(4);
    for (const name of ["ce, dev F1", "ce, test F1", "uniform, dev F1", "uniform, test F1"])
      expect(svg).toContain(`>${name}</text>`);
  });

  it("is not there while nothing was measured, or at one place only", () => {
    expect(studyFigure(plan({}), study, [])).toBeUndefined();
    expect(studyFigure(plan({ where: { rate: 0.5 } }), study, measured)).toBeUndefined();
  });

  it("refuses axes that hold no numbers, and what is not known by epoch", () => {
    const draw = (parts: object) => () => studyFigure(plan(parts), study, measured);
    expect(draw({ x: "method" })).toThrow('figure "f": the values of axis method must be numbers, got "ce"');
    expect(draw({ x: "epoch" })).toThrow(
      'figure "f": by epoch there are dev.precision, dev.recall, dev.f1 and missampling, not test.f1',
    );
  });
});
