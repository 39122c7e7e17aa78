import { describe, expect, it } from "vitest";
import { InputError } from "../util/errors.ts";
import { migrateEncoder, migrateSaved } from "./old-settings.ts";

/** What the record of a run held when encoders had sections of their own, as far as it matters. */
const record = {
  ...{ preset: "recommended", seed: 1, patience: 5, evaluations: 1, batchTokens: 512, decay: 0.01, clip: 5 },
  ...{ decode: {}, device: "cpu" },
};

describe("settings with sections for encoders", () => {
  it("have the options of the chosen one in its place", () => {
    expect(migrateEncoder({ encoder: "bilstm", bilstm: { units: 8 }, seed: 3 })).toEqual({
      encoder: { name: "bilstm", units: 8 },
      seed: 3,
    });
    expect(migrateEncoder({ bilstm: { units: 8 } }).encoder).toEqual({ name: "bilstm", units: 8 });
    expect(migrateEncoder({ encoder: "transformer:dir", transformer: { window: 9 } }).encoder).toEqual({
      ...{ name: "transformer", from: "dir", window: 9 },
    });
    expect(migrateEncoder({ encoder: "flat", flat: { heads: 2 }, words: { width: 3 } }).encoder).toEqual({
      ...{ name: "flat", heads: 2, words: { width: 3 } },
    });
    const parts = { transformer: { window: 9 }, words: { width: 3 } };
    expect(migrateEncoder({ encoder: "bert-word:d", bertWord: { units: 4 }, ...parts }).encoder).toEqual({
      ...{ name: "bert-word", from: "d", units: 4, ...parts },
    });
    expect(migrateEncoder({ encoder: "lebert:d", lebert: { layer: 2 }, ...parts }).encoder).toEqual({
      ...{ name: "lebert", from: "d", layer: 2, ...parts },
    });
  });

  it("lose sections that say nothing, and in the record of a run all that it did not use", () => {
    expect(migrateEncoder({ encoder: "flat", bilstm: {}, lebert: { layer: 1 } })).toEqual({
      encoder: { name: "flat" },
    });
    const stored = { ...record, encoder: "flat", bilstm: { units: 99 }, transformer: { window: 4 } };
    expect(migrateEncoder(stored)).toEqual({ ...record, encoder: { name: "flat" } });
  });

  it.each([
    [
      { encoder: "transformer:d", bilstm: { units: 8 } },
      'setting "bilstm": options of bilstm, but the encoder is transformer; leave them out',
    ],
    [{ words: { width: 8 } }, 'setting "words": options of flat, bert-word, lebert, but the encoder is bilstm'],
    [{ encoder: "flat", bertWord: { unit: 8 } }, 'setting "bertWord": options of bert-word'],
    [
      { encoder: { name: "bilstm", units: 8 }, bilstm: { units: 9 } },
      'setting "encoder.units": given twice, as 8 and in bilstm.units as 9; keep the first',
    ],
    [{ bilstm: 3 }, 'setting "bilstm": expected object, got 3'],
    [{ encoder: [1] }, 'setting "encoder": expected a name or an object, got [1]'],
  ])("are refused where they contradict: %j", (given, message) => {
    expect(() => migrateEncoder(given)).toThrow(InputError);
    expect(() => migrateEncoder(given)).toThrow(message);
  });

  it("stay as they are in the present form", () => {
    const present = { encoder: { name: "lebert", from: "d", words: { width: 3 } }, seed: 1 };
    expect(migrateEncoder(present)).toEqual(present);
    expect(migrateSaved(present.encoder)).toEqual(present.encoder);
  });

  it("of a saved model have the encoder's own options beside its parts", () => {
    const old = { transformer: { window: 9 }, words: { width: 3 }, bertWord: { units: 4, dropout: 0 } };
    expect(migrateSaved(old)).toEqual({ units: 4, dropout: 0, transformer: { window: 9 }, words: { width: 3 } });
  });
});

describe("a stack that was stored before vectors could be narrowed", () => {
  const options = { layers: 1, units: 8, dropout: 0.5, locked: true, wordDropout: 0.05 };
  const [stack, narrowed] = [options, { ...options, project: 4 }].map((context) => ({ name: "stack", context }));

  it("goes on reading them as they are, in the record of a run and in a saved model", () => {
    const wide = { name: "stack", context: { ...options, project: 0 } };
    expect(migrateEncoder({ ...record, encoder: stack }).encoder).toEqual(wide);
    expect(migrateSaved(stack!)).toEqual(wide);
  });

  it("keeps what it says, and settings that somebody gives say nothing of it", () => {
    expect(migrateEncoder({ ...record, encoder: narrowed }).encoder).toEqual(narrowed);
    expect(migrateSaved(narrowed!)).toEqual(narrowed);
    expect(migrateEncoder({ encoder: stack }).encoder).toEqual(stack);
    const changed = { name: "stack", context: { units: 8 } };
    expect(migrateEncoder({ ...record, encoder: changed }).encoder).toEqual(changed);
  });
});
