import { describe, expect, it } from "vitest";
import { clearProgress, clock, type ProgressOptions, progress } from "./progress.ts";

/** Runs updates at the given times (milliseconds) and gives what was written. */
function shown(
  updates: readonly [time: number, done: number, detail?: string][],
  options: ProgressOptions & { tty?: boolean; columns?: number },
): string[] {
  let time = 0;
  const written: string[] = [];
  const stream = {
    isTTY: options.tty ?? false,
    columns: options.columns ?? 80,
    write: (text: string) => written.push(text),
  };
  const bar = progress("reading", { ...options, stream, now: () => time });
  for (const [at, done, detail] of updates) {
    time = at;
    bar.update(done, detail);
  }
  bar.finish();
  return written;
}

describe("on a terminal", () => {
  it("redraws one line with a bar and the time left, then erases it", () => {
    expect(
      shown(
        [
          [0, 0],
          [10_000, 1000, "loss 0.5"],
        ],
        { tty: true, total: 4000, unit: "sentences" },
      ),
    ).toEqual([
      "\r\u001b[Kreading  [                ] 0 %  0/4,000 sentences",
      "\r\u001b[Kreading  [====            ] 25 %  1,000/4,000 sentences  0:30 left  loss 0.5",
      "\r\u001b[K",
    ]);
  });

  it("goes before something else is written, and is not erased twice", () => {
    const written: string[] = [];
    const stream = { isTTY: true, columns: 80, write: (text: string) => written.push(text) };
    const bar = progress("reading", { stream, now: () => 0 });
    bar.update(3);
    clearProgress();
    bar.finish();
    expect(written).toEqual(["\r\u001b[Kreading  3 steps  0:00", "\r\u001b[K"]);
  });

  it("draws at most ten times a second", () => {
    expect(
      shown(
        [
          [0, 1],
          [50, 2],
          [99, 3],
          [100, 4],
        ],
        { tty: true },
      ),
    ).toEqual(["\r\u001b[Kreading  1 step  0:00", "\r\u001b[Kreading  4 steps  0:00", "\r\u001b[K"]);
  });

  it("never fills the last column, where the line would wrap", () => {
    const [line] = shown([[0, 5]], { tty: true, total: 10, columns: 20 });
    expect(line!.replace("\r\u001b[K", "")).toHaveLength(19);
  });
});

describe("elsewhere", () => {
  it("writes a plain line every five seconds and nothing for a short run", () => {
    expect(
      shown(
        [
          [100, 1],
          [4999, 2],
        ],
        { total: 10 },
      ),
    ).toEqual([]);
    expect(
      shown(
        [
          [100, 1],
          [5000, 2],
          [6000, 3],
          [11_000, 8],
        ],
        { total: 10 },
      ),
    ).toEqual(["reading  20 %  2/10 steps  0:20 left\n", "reading  80 %  8/10 steps  0:03 left\n"]);
  });
});

it("writes nothing when quiet", () => {
  expect(
    shown(
      [
        [0, 1],
        [60_000, 2],
      ],
      { tty: true, quiet: true },
    ),
  ).toEqual([]);
});

it("does not go beyond the end when there were more steps than announced", () => {
  expect(shown([[5000, 12]], { total: 10 })).toEqual(["reading  100 %  12/10 steps  0:00 left\n"]);
});

it("writes durations as clocks do", () => {
  expect([0, 7400, 750_000, 3_900_000].map(clock)).toEqual(["0:00", "0:07", "12:30", "1:05:00"]);
});
