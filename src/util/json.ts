import { InputError, messageOf, type Place } from "./errors.ts";

/** Deeper than any file that somebody means; what walks through it by recursion stays far from the end of the stack. */
export const deepestNesting = 200;

/** The value of a JSON text that a file holds. `what` it should be is for errors. */
export function parseJson(text: string, what: string, place: Place): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InputError(`not ${what}: ${messageOf(error)}`, place);
  }
  if (isTooDeep(value)) throw new InputError(`not ${what}: it is nested more than ${deepestNesting} deep`, place);
  return value;
}

/** Whether lists and objects stand in one another more often than anybody means. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepestNesting) return true;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return false;
}
