import { builtInSchema, type Settings, type SettingsInput } from "../training/index.ts";
import { InputError } from "../util/errors.ts";
import { expectation } from "../util/expectation.ts";

/** Complete settings of a stage that a method makes up, whose parts may be given by name alone. */
export function stageSettings(method: string, given: SettingsInput): Settings {
  const result = builtInSchema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new InputError(`method ${method}: setting "${issue!.path.join(".")}" of a stage: ${expectation(issue!)}`);
}
