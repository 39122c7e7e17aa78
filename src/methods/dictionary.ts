import { type DictionarySettings, dictionarySettings, openDictionary } from "../heads/index.ts";
import { keepUntrained, type Settings } from "../training/index.ts";
import { InputError } from "../util/errors.ts";
import type { Method } from "./method.ts";

type Complete = Settings & { readonly dictionary: DictionarySettings };

/** Dictionary (knowledge base) matching: the baseline of distant supervision, a model that needs no training. */
export const dictionary: Method<{ readonly dictionary: DictionarySettings }> = {
  name: "dictionary",
  description: "finds the entries of dictionaries (--dict); nothing is trained",
  settings: { sampler: "all", objective: "cross-entropy", head: { name: "token" } },
  sections: { dictionary: dictionarySettings.prefault({}) },
  async *make(data, settings: Complete, options) {
    const { dictionary: own, decode } = settings;
    if (own.files.length === 0)
      throw new InputError("method dictionary: no dictionary was given (--dict FILE[=TYPE], once for each)");
    if (decode.shift !== 0)
      throw new InputError("method dictionary: a dictionary says yes or no, so decode.shift must be 0");
    return yield* keepUntrained(await openDictionary(own), settings, data, options);
  },
};
