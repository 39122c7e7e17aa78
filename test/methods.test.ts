import { describe, expect, it } from "vitest";
import { completeSettings, methods } from "../src/methods/index.ts";

describe("every method", () => {
  it.each(Object.entries(methods))("%s has complete settings under its name, in every reading", (name, method) => {
    expect(method.name).toBe(name);
    const presets = "presets" in method ? Object.keys(method.presets ?? {}) : [];
    for (const preset of ["recommended", ...presets]) {
      const settings = completeSettings({ method: name, preset });
      expect([settings.method, settings.preset]).toEqual([name, preset]);
    }
  });
});

describe("presets", () => {
  it("hold the readings that differ", () => {
    const at = (method: string, preset: string) => completeSettings({ method, preset });
    expect(at("top-neg", "paper").sampler).toMatchObject({ name: "top-similarity", on: "span", rate: 0.05 });
    expect(at("top-neg", "code").sampler).toMatchObject({ name: "top-similarity", on: "hidden" });
    expect(at("nrces", "paper").objective).toMatchObject({ name: "nrces", sign: "plus", reduction: "sum" });
    expect(at("scl-rai", "paper")).toMatchObject({
      contrastive: { weight: 0.1, denominator: "negatives" },
      inference: { name: "retrieval", alpha: 0.5, mix: "prob" },
    });
    expect(at("scl-rai", "code")).toMatchObject({
      sampler: { name: "uniform", count: "floor+1" },
      contrastive: { denominator: "all", scale: 100 },
      inference: { mix: "log" },
    });
  });

  it("set what a publication trains with, where there is a setting for it", () => {
    const at = (method: string, preset: string) => completeSettings({ method, preset });
    const steady = { schedule: "constant", warmup: 0, decay: 0 };
    for (const preset of ["paper", "code"]) {
      expect(at("weighted-partial-crf", preset)).toMatchObject({
        ...{ ...steady, optimiser: "sgd", rate: 0.01, epochs: 100, decode: { shift: 0 } },
        objective: { name: "cross-entropy", reduction: "sum" },
      });
      expect(at("conf-mpu", preset)).toMatchObject({
        ...{ ...steady, rate: 5e-4, pu: { m: 28, scaled: true } },
        objective: { q: 1, leastPrior: 0 },
      });
    }
    expect(at("bnpu", "code").objective).toMatchObject({ m: 28, scaled: true, leastPrior: 0 });
    expect(at("biaffine", "paper")).toMatchObject({ ...steady, rate: 1e-3 });
    expect(at("mrc", "code")).toMatchObject({ rate: 1e-5, encoderRate: 1e-5, epochs: 10, clip: 1, warmup: 0 });
    expect(at("roster", "paper")).toMatchObject({ encoderRate: 3e-5, epochs: 2, roster: { every: 1, warm: 0 } });
  });

  it("of conf-mpu reach its first training", () => {
    const first = (preset: string) =>
      methods["conf-mpu"].stages!(completeSettings({ method: "conf-mpu", preset }) as never)[0]!;
    const published = { name: "bnpu", merged: true, q: 1, m: 28, scaled: true, leastPrior: 0 };
    expect(first("paper").settings.objective).toMatchObject(published);
    expect(first("code").settings.objective).toMatchObject(published);
    expect(first("recommended").settings.objective).toMatchObject({ q: 0.4, m: 1, scaled: false, leastPrior: 0.01 });
  });

  it("give way to what the user sets", () => {
    const settings = completeSettings({
      method: "nrces",
      preset: "paper",
      objective: { sign: "none" },
      sampler: "all",
    });
    expect(settings.objective).toMatchObject({ sign: "none", reduction: "sum" });
    expect(settings.sampler).toEqual({ name: "all" });
  });

  it("are refused where a method has none of the name", () => {
    expect(() => completeSettings({ method: "nrces", preset: "code" })).toThrow(
      'method nrces: unknown preset "code" (known: recommended, paper)',
    );
    expect(() => completeSettings({ method: "ce", preset: "paper" })).toThrow('unknown preset "paper"');
  });

  it("are not needed for the parts of other methods", () => {
    const settings = completeSettings({
      sampler: "weighted",
      objective: "nrces",
      contrastive: { weight: 0.1 },
      inference: "retrieval",
    });
    expect(settings).toMatchObject({
      sampler: { name: "weighted" },
      objective: { name: "nrces", w: 5, sign: "minus" },
      contrastive: { weight: 0.1, temperature: 0.1, denominator: "all" },
      inference: { name: "retrieval", alpha: "dev", mix: "prob" },
    });
  });

  it("and options that do not belong to a part are refused by name", () => {
    expect(() => completeSettings({ objective: { w: 2 } })).toThrow(/unknown setting "objective.w"/);
    expect(() => completeSettings({ inference: { alpha: 0.2 } })).toThrow(/inference/);
    expect(() => completeSettings({ contrastive: { weight: 1 } })).toThrow(/contrastive.weight/);
  });
});
