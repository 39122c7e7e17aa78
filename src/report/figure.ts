/**
 * A small writer of charts as SVG text. Colours are of middle brightness and the background is left open, so that a
 * figure can be read on a light page and on a dark one.
 */
export interface Chart {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly marks: readonly Mark[];
}

export interface Axis {
  readonly label: string;
  readonly domain: readonly [low: number, high: number];
  /** Round numbers where missing. */
  readonly ticks?: readonly Tick[];
}

export interface Tick {
  readonly at: number;
  readonly label: string;
}

export type Point = readonly [x: number, y: number];

/** What is drawn, in the units of the axes; marks with the same name share a colour, in all charts of a figure. */
export interface Mark {
  readonly name: string;
  readonly kind: "line" | "points" | "ranges";
  /** Ranges take two points each. */
  readonly points: readonly Point[];
}

const size = { width: 440, height: 330 };
const margin = { top: 34, right: 24, bottom: 58, left: 60 };
const legendLine = 18;
const titleLine = 15;
const ink = "#767676";
const faint = "#7676764d";
const colours = ["#3b82c4", "#d9722b", "#3f9a56", "#b05bb5", "#a9862a", "#c4475c", "#2f9ca6", "#7d6cd9", "#8a8a8a"];

export interface FigureOptions {
  /** Pixels of the charts from the title to the label of the axis. */
  readonly height?: number;
}

/** Charts side by side, with their legends below. */
export function figure(charts: readonly Chart[], { height: chartHeight = size.height }: FigureOptions = {}): string {
  const layouts = charts.map(layoutOf);
  const shift = titleLine * (Math.max(1, ...layouts.map(({ title }) => title.length)) - 1);
  const plotHeight = chartHeight + shift;
  const height = plotHeight + legendLine * Math.max(0, ...layouts.map(({ legend }) => legend.flat().length));
  const width = size.width * charts.length;
  const colour = colourOf(charts);
  const body = charts.map((chart, i) =>
    element(
      "g",
      { transform: `translate(${i * size.width} 0)` },
      draw(chart, layouts[i]!, { top: margin.top + shift, height: plotHeight }, colour),
    ),
  );
  const attributes = {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    "font-family": "system-ui, sans-serif",
    "font-size": 12,
    role: "img",
    "aria-label": charts.map(({ title }) => title).join("; "),
  };
  return `${element("svg", attributes, body)}\n`;
}

/** The colours by name; the same in every chart, so that one method is one colour across panels. */
function colourOf(charts: readonly Chart[]): (name: string) => string {
  const names = [...new Set(charts.flatMap(({ marks }) => marks.map(({ name }) => name)))];
  return (name) => colours[names.indexOf(name) % colours.length]!;
}

/** The texts of a chart in lines that fit. */
interface Layout {
  /** Pixels from the left to the axis. */
  readonly left: number;
  readonly title: readonly string[];
  /** The lines of each name. */
  readonly legend: readonly (readonly string[])[];
  readonly names: readonly string[];
}

function layoutOf(chart: Chart): Layout {
  const left = margin.left + labelRoom(chart.y);
  const room = size.width - left - 4;
  const names = [...new Set(chart.marks.map(({ name }) => name))];
  return {
    left,
    title: brokenLines(chart.title, room, letterWidth.bold),
    names,
    legend: names.map((name) => brokenLines(name, room - 16, letterWidth.plain)),
  };
}

/** What a letter takes on average, in pixels: a guess that is rather too large, since fonts differ. */
const letterWidth = { plain: 6.6, bold: 7.2 };

function brokenLines(text: string, room: number, letter: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length * letter <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Places of a chart in pixels. */
interface Scales {
  x(value: number): number;
  y(value: number): number;
}

function draw(
  chart: Chart,
  { left, title, legend, names }: Layout,
  { top, height }: { readonly top: number; readonly height: number },
  colour: (name: string) => string,
): string[] {
  const right = size.width - margin.right;
  const bottom = height - margin.bottom;
  const scales: Scales = { x: scale(chart.x, left, right), y: scale(chart.y, bottom, top) };
  return [
    ...title.map((line, i) => text(line, { x: left, y: 18 + titleLine * i, fill: ink, "font-weight": 600 })),
    ...ticksOf(chart.x).flatMap(({ at, label }) => [
      line([scales.x(at), top], [scales.x(at), bottom], faint),
      text(label, { x: scales.x(at), y: bottom + 16, fill: ink, "text-anchor": "middle" }),
    ]),
    ...ticksOf(chart.y).flatMap(({ at, label }) => [
      line([left, scales.y(at)], [right, scales.y(at)], faint),
      text(label, { x: left - 8, y: scales.y(at) + 4, fill: ink, "text-anchor": "end" }),
    ]),
    line([left, bottom], [right, bottom], ink),
    line([left, top], [left, bottom], ink),
    text(chart.x.label, { x: (left + right) / 2, y: bottom + 36, fill: ink, "text-anchor": "middle" }),
    text(chart.y.label, {
      transform: `translate(14 ${(top + bottom) / 2}) rotate(-90)`,
      fill: ink,
      "text-anchor": "middle",
    }),
    ...chart.marks.flatMap((mark) => drawMark(mark, scales, colour(mark.name))),
    ...names.flatMap((name, i) => {
      const y = height + legendLine * legend.slice(0, i).flat().length;
      return [
        element("circle", { cx: left + 5, cy: y - 4, r: 4, fill: colour(name) }),
        ...legend[i]!.map((line, j) => text(line, { x: left + 16, y: y + legendLine * j, fill: ink })),
      ];
    }),
  ];
}

function drawMark({ kind, points }: Mark, { x, y }: Scales, colour: string): string[] {
  const place = ([a, b]: Point): Point => [x(a), y(b)];
  switch (kind) {
    case "points":
      return points.map(place).map(([cx, cy]) => element("circle", { cx, cy, r: 3, fill: colour }));
    case "ranges":
      return points.flatMap((point, i) => (i % 2 === 0 ? [line(place(point), place(points[i + 1]!), colour)] : []));
    case "line": {
      const path = points.map(place).map((point) => point.map(rounded).join(","));
      return [element("polyline", { points: path.join(" "), fill: "none", stroke: colour, "stroke-width": 2 })];
    }
  }
}

function scale({ domain: [low, high] }: Axis, from: number, to: number): (value: number) => number {
  const span = high - low || 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

/** Names need more room beside the axis than numbers do. */
function labelRoom(axis: Axis): number {
  const longest = Math.max(0, ...ticksOf(axis).map(({ label }) => label.length));
  return Math.max(0, Math.min(longest, 20) - 4) * 6.5;
}

/** Four to nine multiples of 1, 2 or 5 times a power of ten. */
function ticksOf({ domain: [low, high], ticks }: Axis): readonly Tick[] {
  if (ticks !== undefined) return ticks;
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, i) => {
    const at = (first + i) * step;
    return { at, label: String(Number(at.toPrecision(12))) };
  });
}

type Attributes = Readonly<Record<string, string | number>>;

function line([x1, y1]: Point, [x2, y2]: Point, stroke: string): string {
  return element("line", { x1, y1, x2, y2, stroke });
}

function text(content: string, attributes: Attributes): string {
  return element("text", attributes, [escaped(content)]);
}

function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  const list = Object.entries(attributes).map(([key, value]) => {
    return ` ${key}="${typeof value === "number" ? rounded(value) : escaped(value)}"`;
  });
  return children.length === 0
    ? `<${name}${list.join("")}/>`
    : `<${name}${list.join("")}>${children.join("\n")}</${name}>`;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function escaped(value: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  // Control characters have no place in XML, not even escaped.
  return value.replaceAll(/[&<>"]/g, (sign) => entities[sign]!).replaceAll(/\p{Cc}/gu, " ");
}
