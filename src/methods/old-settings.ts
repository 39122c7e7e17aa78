import { migrateEncoder } from "../encoders/index.ts";
import { migrateHead } from "../heads/index.ts";
import { isRecord, type SettingsInput } from "../training/index.ts";
import { InputError } from "../util/errors.ts";

/** Settings in the words of today: stored results, saved models and older settings files have others. */
export function migrateSettings(given: SettingsInput): SettingsInput {
  return withoutIdleStage(withHead(migrateEncoder(given)));
}

/** What is `head` now was `model` once. */
function withHead({ model, ...rest }: SettingsInput): SettingsInput {
  if (model === undefined) return rest;
  if (rest.head !== undefined) throw new InputError("settings: head and model are the same; give head alone");
  return { ...rest, head: migrateHead(model) };
}

/** The record of a run once had the section of the two-step method whatever its method; idle, it says nothing. */
function withoutIdleStage(given: SettingsInput): SettingsInput {
  const { explore, ...rest } = given;
  const isIdle = isRecord(explore) && explore.epochs === 0 && given.method !== "two-step";
  return isIdle ? rest : given;
}
