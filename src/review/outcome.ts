import type { Decision, Item, Mark } from "./model.ts";

/** What a decision says of annotations. */
export interface Outcome {
  /** The annotation that a person found right. */
  readonly right: readonly Mark[];
  /** Those found wrong: as annotations of their type. */
  readonly wrong: readonly Mark[];
  /** Those of which the person could not tell. */
  readonly unsure: readonly Mark[];
}

/**
 * One rule for all kinds of suspicions: what the person says should stand there is right; what stood there or was
 * suggested, and is something else, is wrong.
 */
export function outcomeOf(item: Item, decision: Decision): Outcome {
  const suggested = markOf(item);
  const concerned = distinct(item.given === null ? [suggested] : [markOf(item.given), suggested]);
  if (decision.verdict === "open") return { right: [], wrong: [], unsure: [] };
  if (decision.verdict === "unsure") return { right: [], wrong: [], unsure: concerned };
  const right = decision.verdict === "accept" ? accepted(item, decision) : rejected(item);
  return {
    right: right === undefined ? [] : [right],
    wrong: concerned.filter((mark) => right === undefined || !sameMark(mark, right)),
    unsure: [],
  };
}

/** What stands there when the suspicion is right: nothing where it was "wrong", unless the person put something else. */
function accepted(item: Item, { type, start, end }: Decision): Mark | undefined {
  if (type === undefined && start === undefined) return item.kind === "wrong" ? undefined : markOf(item);
  return { start: start ?? item.start, end: end ?? item.end, type: type ?? item.type };
}

/** What stands there when the suspicion is not right: what stood there before. */
function rejected({ given }: Item): Mark | undefined {
  return given === null ? undefined : markOf(given);
}

function markOf({ start, end, type }: Mark): Mark {
  return { start, end, type };
}

function distinct(marks: readonly Mark[]): readonly Mark[] {
  return marks.filter((mark, i) => !marks.slice(0, i).some((other) => sameMark(mark, other)));
}

export function sameMark(a: Mark, b: Mark): boolean {
  return a.start === b.start && a.end === b.end && a.type === b.type;
}
