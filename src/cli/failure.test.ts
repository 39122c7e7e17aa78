import { readFileSync } from "node:fs";
import { CommanderError } from "commander";
import { describe, expect, it } from "vitest";
import { DivergedError } from "../util/diverged.ts";
import { InputError } from "../util/errors.ts";
import { describeFailure, NegativeOutcome } from "./failure.ts";
import { Interrupted } from "./interrupt.ts";

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

describe("the exit code and the line", () => {
  it("2 for bad input, with its own words", () => {
    const error = new InputError("unknown tag", { file: "a.conll", line: 3 });
    expect(describeFailure(error)).toEqual({ exitCode: 2, message: "a.conll:3: unknown tag" });
  });

  it("2 for what the operating system refuses, naming the file", () => {
    const error = thrownBy(() => readFileSync("no/such/file"));
    expect(describeFailure(error)).toEqual({ exitCode: 2, message: "no/such/file: no such file or directory" });
  });

  it("2 for wrong usage, which commander has already explained, and 0 after help", () => {
    expect(describeFailure(new CommanderError(1, "commander.unknownOption", ""))).toEqual({ exitCode: 2 });
    expect(describeFailure(new CommanderError(0, "commander.helpDisplayed", ""))).toEqual({ exitCode: 0 });
  });

  it("1 for a threshold that was missed", () => {
    expect(describeFailure(new NegativeOutcome("too low"))).toEqual({ exitCode: 1, message: "too low" });
  });

  it("1 for training that diverged", () => {
    const { exitCode, message } = describeFailure(new DivergedError(7, Number.NaN));
    expect(exitCode).toBe(1);
    expect(message).toMatch(/^training: the loss became NaN at step 7; /);
  });

  it("130 after an interrupt and 0 when the reader has gone, without a word", () => {
    expect(describeFailure(new Interrupted(130))).toEqual({ exitCode: 130 });
    expect(describeFailure(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }))).toEqual({ exitCode: 0 });
  });

  it("1 for everything else, on one line, with a hint how to see more", () => {
    const { exitCode, message } = describeFailure(new TypeError("x is\n not a function"));
    expect(exitCode).toBe(1);
    expect(message).toBe("unexpected TypeError: x is not a function (set LACUNA_DEBUG=1 to see where)");
  });

  it("the stack below when asked for", () => {
    const { message } = describeFailure(new TypeError("odd"), { stack: true });
    expect(message).toContain("unexpected TypeError: odd\nTypeError: odd\n    at ");
  });
});
