import { describe, expect, it } from "vitest";
import { diagnose } from "../evaluation/index.ts";
import { joinTokens, makeSentence } from "../text/index.ts";
import { diagnosisFigure } from "./diagnosis-figure.ts";
import { type Chart, figure } from "./figure.ts";

const chart: Chart = {
  title: "Growth",
  x: { label: "years", domain: [0, 10] },
  y: { label: "height", domain: [0, 2] },
  marks: [
    { name: "tree", kind: "line", points: [[0, 0], [10, 2]] }, // biome-ignore format: one point per pair
    { name: "tree", kind: "points", points: [[5, 1]] },
    { name: "doubt", kind: "ranges", points: [[5, 0.5], [5, 1.5]] }, // biome-ignore format: one point per pair
  ],
};

/** The attributes of all elements of a kind, numbers as numbers. */
function elements(svg: string, name: string): Record<string, number | string>[] {
  return [...svg.matchAll(new RegExp(`<${name} ([^>]*?)/?>`, "g"))].map(([, list]) =>
    Object.fromEntries(
      [...list!.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [
        key!,
        Number.isNaN(Number(value)) ? value! : Number(value),
      ]),
    ),
  );
}

/** The place of a tick, by its label. */
function tick(svg: string, label: string): { x: number; y: number } {
  const match = new RegExp(`<text x="([\\d.]+)" y="([\\d.]+)"[^>]*>${label}</text>`).exec(svg)!;
  return { x: Number(match[1]), y: Number(match[2]) };
}

describe("a figure", () => {
  const svg = figure([chart]);

  it("puts marks where the ticks of the axes say", () => {
    const point = elements(svg, "circle")[0]!;
    // Year 5 lies between the ticks 4 and 6; height 1 has a tick of its own, whose text stands 4 pixels lower.
    expect(point.cx).toBeCloseTo((tick(svg, "4").x + tick(svg, "6").x) / 2, 1);
    expect(point.cy).toBeCloseTo(tick(svg, "1").y - 4, 1);
    const range = elements(svg, "line").find(({ x1, x2, stroke }) => x1 === x2 && stroke === "#d9722b")!;
    expect(range.x1).toBe(point.cx);
    expect(((range.y1 as number) + (range.y2 as number)) / 2).toBeCloseTo(point.cy as number, 1);
  });

  it("names axes and marks, each mark's name once", () => {
    for (const label of ["Growth", "years", "height", "tree", "doubt"]) {
      expect(svg.split(`>${label}</text>`)).toHaveLength(2);
    }
  });

  it("breaks titles and names that are longer than a panel, and draws below them", () => {
    const title =
      "Test F1 against the share of annotations that were hidden, by method and by seed, on the sample corpus";
    const name = "a method with a name that goes on and on until it would leave the panel in which it stands";
    const wide = figure([{ ...chart, title, marks: chart.marks.map((mark) => ({ ...mark, name })) }, chart]);
    const lines = [...wide.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)<\/text>/g)];
    for (const [, x, , text] of lines) expect(Number(x) + 6 * text!.length).toBeLessThanOrEqual(440);
    const bold = [...wide.matchAll(/y="([\d.]+)"[^>]*font-weight="600">([^<]*)</g)];
    const broken = bold.filter(([, , text]) => text !== "Growth");
    expect(broken.map(([, , text]) => text).join(" ")).toBe(title);
    expect(Math.max(...broken.map(([, y]) => Number(y)))).toBeLessThan(tick(wide, "2").y);
    const [, height] = /viewBox="0 0 880 ([\d.]+)"/.exec(wide)!;
    for (const [, , y] of lines) expect(Number(y)).toBeLessThanOrEqual(Number(height));
  });

  it("gives a name the same colour in every panel", () => {
    const [tree, doubt] = ["tree", "doubt"].map((name) => ({ ...chart.marks[1]!, name }));
    const panels = figure([
      { ...chart, marks: [tree!, doubt!] },
      { ...chart, marks: [doubt!, tree!] },
    ]);
    const coloursOf = (name: string) =>
      [...panels.matchAll(new RegExp(`<circle [^>]*fill="([^"]*)"/>\\n<text [^>]*>${name}<`, "g"))].map(
        ([, fill]) => fill,
      );
    expect(coloursOf("tree")).toEqual(["#3b82c4", "#3b82c4"]);
    expect(coloursOf("doubt")).toEqual(["#d9722b", "#d9722b"]);
  });

  it("has no background and no black or white, so that it suits light and dark pages", () => {
    expect(elements(svg, "rect")).toEqual([]);
    for (const [, colour] of svg.matchAll(/(?:fill|stroke)="(#[0-9a-f]{6})/g)) {
      const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour!.slice(at, at + 2), 16) / 255);
      const light = (channel: number): number =>
        channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
      const luminance = 0.2126 * light(red!) + 0.7152 * light(green!) + 0.0722 * light(blue!);
      // The contrast that WCAG asks of graphics, against both.
      expect(1.05 / (luminance + 0.05)).toBeGreaterThan(3);
      expect((luminance + 0.05) / 0.05).toBeGreaterThan(3);
    }
  });

  it("escapes what names may hold", () => {
    const odd = figure([{ ...chart, title: '<R&D> "x"' }]);
    expect(odd).toContain("&lt;R&amp;D&gt; &quot;x&quot;");
    expect(odd).not.toContain("<R&D>");
  });
});

describe("the figure of a diagnosis", () => {
  it("has a mean for each length, and an interval for each type that has an estimate", () => {
    const sentences = Array.from({ length: 240 }, (_, i) => {
      const words = ["Ada", "Bob", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lea"];
      const tokens = [words[i % 12]!, "slept", ...(i % 5 === 0 ? ["well"] : [])];
      const { text, offsets } = joinTokens([tokens]);
      return makeSentence(text, offsets[0]!, { entities: i % 7 < 4 ? [{ start: 0, end: 1, type: "PER" }] : [] });
    });
    const diagnosis = diagnose([{ text: "", sentences }]);
    const svg = diagnosisFigure(diagnosis);
    // Two lengths, two estimates (the type and all), and the dots of three lines of the legends.
    expect(elements(svg, "circle")).toHaveLength(2 + 2 + 3);
    const estimate = diagnosis.missing.surfaces.byType.PER as { low: number; high: number };
    const right = svg.slice(svg.indexOf("translate(440 0)"));
    const [zero, hundred] = [tick(right, "0").x, tick(right, "100").x];
    const widths = elements(right, "line")
      .filter(({ stroke }) => stroke === "#3f9a56")
      .map(({ x1, x2 }) => ((x2 as number) - (x1 as number)) / (hundred - zero));
    expect(widths.at(-1)).toBeCloseTo(estimate.high - estimate.low, 3);
  });
});
