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
  const fault = faultOf(value);
  if (fault !== undefined) throw new InputError(`not ${what}: ${fault}`, place);
  return value;
}

/**
 * What makes a value from a file unusable whatever it means: lists and objects that stand in one another more often than
 * anybody means, or a name that would be lost on the way, because assigning to it changes what an object inherits.
 */
export function faultOf(value: unknown): string | undefined {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepestNesting) return `it is nested more than ${deepestNesting} deep`;
    const objects = level.filter((each): each is object => typeof each === "object" && each !== null);
    if (objects.some((each) => Object.hasOwn(each, "__proto__"))) return 'nothing can be called "__proto__"';
    level = objects.flatMap((each) => Object.values(each));
  }
  return undefined;
}
