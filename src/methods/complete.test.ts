import { describe, expect, it } from "vitest";
import { merge, settingOf } from "../training/index.ts";
import { InputError } from "../util/errors.ts";
import { completeSettings } from "./complete.ts";

const given = (...assignments: string[]) => completeSettings(assignments.map(settingOf).reduce(merge, {}));

describe("complete settings", () => {
  it("are the defaults, over them the method's recipe, over it what the user gave", () => {
    expect(completeSettings({ method: "ce" })).toMatchObject({ sampler: { name: "all" }, epochs: 20 });
    expect(completeSettings({ method: "uniform" }).sampler).toEqual({ name: "uniform", rate: 0.35, count: "ceil" });
    expect(given("method=uniform", "sampler.rate=0.5").sampler).toEqual({ name: "uniform", rate: 0.5, count: "ceil" });
    expect(given("method=uniform", "sampler=all").sampler).toEqual({ name: "all" });
  });

  it("keep the options of a part that is named again, and drop those of another", () => {
    expect(merge({ sampler: "uniform" }, { sampler: { rate: 1 } })).toEqual({ sampler: { name: "uniform", rate: 1 } });
    expect(merge({ sampler: { name: "uniform", rate: 1 } }, { sampler: { name: "uniform", count: "ceil" } })).toEqual({
      sampler: { name: "uniform", rate: 1, count: "ceil" },
    });
    expect(merge({ sampler: { name: "uniform", rate: 1 } }, { sampler: "uniform" })).toEqual({
      sampler: { name: "uniform", rate: 1 },
    });
    expect(merge({ sampler: { name: "uniform", rate: 1 } }, { sampler: "all" })).toEqual({ sampler: "all" });
    // Options that were given without a name are for whatever is named later.
    expect(merge({ head: { scheme: "bmeso" } }, { head: { name: "token" } })).toEqual({
      head: { name: "token", scheme: "bmeso" },
    });
    expect(merge({ sampler: { name: "uniform", rate: 1 } }, { sampler: { name: "all" } })).toEqual({
      sampler: { name: "all" },
    });
  });

  it("name the method that is recommended for the head where none is given", () => {
    expect(completeSettings({})).toMatchObject({ method: "uniform", sampler: { name: "uniform" } });
    expect(given("head=token")).toMatchObject({ method: "two-step", sampler: { name: "all" } });
    expect(given("head=token")).toEqual(given("method=two-step"));
  });

  it("name the head, spans where they do not", () => {
    expect(completeSettings({}).head).toMatchObject({ name: "span", scorer: "product", maxWidth: "auto" });
    expect(given("head.hidden=8").head).toMatchObject({ name: "span", hidden: 8 });
    expect(given("method=ce", "head=token").head).toMatchObject({ name: "token", scores: "linear", non: { rate: 0 } });
    expect(given("method=ce", "head=token", "head.scores=angle").head).toMatchObject({ scores: "angle" });
    expect(given("method=two-step", "head.non.rate=0.3").head).toMatchObject({
      name: "token",
      scores: "angle",
      non: { rate: 0.3, maxWidth: 10 },
    });
    expect(given("method=two-step", "preset=paper").head).toMatchObject({ non: { rate: 0.1, maxWidth: "none" } });
    expect(given("method=top-neg", "preset=paper", "head=span").head).toMatchObject({ name: "span", hidden: 256 });
  });

  it("are the same when they are written in the words of older versions", () => {
    expect(given("model=token", "model.head=angle")).toEqual(given("head=token", "head.scores=angle"));
    expect(given("method=two-step", "model.non.rate=0.3")).toEqual(given("method=two-step", "head.non.rate=0.3"));
    const idle = { epochs: 0, remove: 0, value: "angle" };
    expect(completeSettings({ method: "ce", explore: idle })).toEqual(completeSettings({ method: "ce" }));
    expect(() => given("model=token", "head=token")).toThrow("settings: head and model are the same; give head alone");
  });

  it("have the sections of their method, and no other's", () => {
    expect(completeSettings({ method: "two-step" })).toMatchObject({
      explore: { epochs: 2, remove: 0.0125, value: "angle" },
    });
    expect(() => given("method=ce", "explore.epochs=2")).toThrow('unknown setting "explore"');
  });

  it("name the encoder, with its options, whichever way it is written", () => {
    const units = (encoder: unknown) => (encoder as { units: number }).units;
    expect(completeSettings({}).encoder).toMatchObject({ name: "bilstm", units: 200 });
    expect(given("encoder.units=8").encoder).toMatchObject({ name: "bilstm", units: 8 });
    expect(units(merge({ encoder: { name: "bilstm", units: 8 } }, { encoder: "bilstm" }).encoder)).toBe(8);
    const moved = merge({ encoder: { name: "transformer", from: "a", window: 9 } }, { encoder: "transformer:b" });
    expect(completeSettings(moved).encoder).toMatchObject({ name: "transformer", from: "b", window: 9 });
    expect(merge({ encoder: { name: "bilstm", units: 8 } }, { encoder: "flat" })).toEqual({
      encoder: { name: "flat" },
    });
    expect(given("encoder=lebert:a", "encoder.words.width=3", "encoder.transformer.window=9").encoder).toMatchObject({
      name: "lebert",
      from: "a",
      words: { width: 3, perToken: 5 },
      transformer: { window: 9 },
    });
  });

  it.each([
    ["path by path", ["decode.shift.PER=-2", "decode.shift.LOC=-1"]],
    ["as JSON", ['decode.shift={"PER":-2,"LOC":-1}']],
  ])("take a shift for each type %s, whatever the method has", (_, assignments) => {
    for (const method of ["ce", "self-train"])
      expect(given(`method=${method}`, ...assignments).decode.shift).toEqual({ PER: -2, LOC: -1 });
  });

  it("read values as JSON where they are, else as text", () => {
    expect(settingOf("a.b.c=0.5")).toEqual({ a: { b: { c: 0.5 } } });
    expect(settingOf("x=true")).toEqual({ x: true });
    expect(settingOf("encoder=transformer:a=b")).toEqual({ encoder: "transformer:a=b" });
  });
});

describe("a wrong setting is named with what there is instead", () => {
  it.each([
    [["encoder.unit=8"], 'unknown setting "encoder.unit" (known: name, vectors, unitLength, tuneVectors,'],
    [
      ["encoder=words+dict:a", "encoder.sources.dict.x=1"],
      'unknown setting "encoder.sources.1.x" (known: name, from, type,',
    ],
    [
      ["encoder=words+chars", "encoder.sources=3", "encoder.context.x=1"],
      'unknown setting "encoder.context.x" (known: layers,',
    ],
    [["method=uniform", "sampler.rat=1"], 'unknown setting "sampler.rat" (known: name, rate, count)'],
    [["epoch=3"], /unknown setting "epoch" \(known: method, .*epochs, /],
    [["encoder.featureSettings.x=1"], 'unknown setting "encoder.featureSettings.x" (known: charWidth,'],
    [["encoder=lebert:a", "encoder.words.x=1"], 'unknown setting "encoder.words.x" (known: lexicon,'],
    [["encoder=lstm"], 'encoder: unknown "lstm" (known: bilstm, transformer,'],
    [["encoder=transformer"], 'setting "encoder.from": expected a directory or a package, such as @lat.md/'],
    [["encoder=3"], 'setting "encoder": expected a name or an object, got 3'],
    [["epochs=many"], 'setting "epochs": expected number, got "many"'],
    [["epochs=0"], 'setting "epochs": expected number to be >=1, got 0'],
    [["epochs=1.5"], 'setting "epochs": expected int, got 1.5'],
    [["bilstm=3"], 'setting "bilstm": expected object, got 3'],
    [["encoder.units.x=3"], 'setting "encoder.units": expected number, got {"x":3}'],
    [["optimiser=adam"], 'setting "optimiser": expected one of "adamw"|"sgd", got "adam"'],
    [["head.maxWidth=wide"], 'setting "head.maxWidth": expected "auto" or number, got "wide"'],
    [["sampler=unifrom"], /^setting "sampler\.name": expected 'all' \| .*'uniform'.*, got "unifrom"$/],
    [["sampler=unifrom", "epoch=3"], /"sampler\.name".*; unknown setting "epoch" \(known: method, .*epochs, /],
    [["method=unifrom"], 'method: unknown "unifrom" (known: ce, uniform,'],
    [["head=tokens"], /^setting "head\.name": expected 'span' \| 'token' \| 'mrc' \| 'autoner', got "tokens"$/],
    [["head=token", "head.hidden=3"], 'unknown setting "head.hidden" (known: name, scheme, scores,'],
    [["head=token", "head.non.rat=3"], 'unknown setting "head.non.rat" (known: rate, maxWidth)'],
    [["method=7"], 'setting "method": expected string, got 7'],
  ])("%j", (assignments, message) => {
    expect(() => given(...assignments)).toThrow(InputError);
    expect(() => given(...assignments)).toThrow(message);
  });

  it.each(["rate", "=3", " =3"])("%j is no assignment", (text) => {
    expect(() => settingOf(text)).toThrow("--set: expected key=value, got ");
  });
});
