import { type Decision, type Entry, type Status, statuses } from "./model.ts";

/** The decisions so far, of which some were taken back. */
export interface History {
  /** Adds the next entry; throws when it does not follow from the ones before. */
  add(entry: Entry): void;
  /** The decision that stands on an item: the last that was not taken back. */
  standing(item: number): Decision | undefined;
  status(item: number): Status;
  /** The sequence number of the last entry that concerned an item, 0 without one. */
  version(item: number): number;
  /** The sequence number of the last entry. */
  readonly sequence: number;
  /** The decision that a tab would take back next, or let count again. */
  undoable(client: string): Decision | undefined;
  redoable(client: string): Decision | undefined;
  /** Every decision that was made, in order, also those that were taken back since. */
  readonly made: readonly Decision[];
}

/** The history of a review of so many suspicions, without an entry yet. */
export function history(suspicions: number): History {
  const decisions = new Map<number, Decision>();
  const undone = new Set<number>();
  const onItem = new Map<number, Decision[]>();
  const made: Decision[] = [];
  const versions = new Map<number, number>();
  /** Places in `statuses`, by item: asked for all items at once. */
  const current = new Uint8Array(suspicions + 1);
  const stacks = new Map<string, Stacks>();
  let sequence = 0;

  const stacksOf = (client: string): Stacks => {
    const known = stacks.get(client) ?? { undo: [], redo: [] };
    stacks.set(client, known);
    return known;
  };
  const standing = (item: number): Decision | undefined => {
    const last = onItem.get(item)?.findLast((decision) => !undone.has(decision.sequence));
    return last?.verdict === "open" ? undefined : last;
  };
  const reverse = (number: number, client: string, back: boolean): Decision => {
    const { undo, redo } = stacksOf(client);
    const [from, to] = back ? [undo, redo] : [redo, undo];
    const decision = decisions.get(number);
    if (decision === undefined || from.at(-1) !== number)
      throw new Error(`decision ${number} is not the one that can be ${back ? "taken back" : "redone"} next`);
    to.push(from.pop()!);
    if (back) undone.add(number);
    else undone.delete(number);
    return decision;
  };
  const decide = (decision: Decision): Decision => {
    const outside = decision.items.find((item) => !(item >= 1 && item <= suspicions));
    if (outside !== undefined) throw new Error(`there is no suspicion ${outside}: the audit has ${suspicions}`);
    decisions.set(decision.sequence, decision);
    made.push(decision);
    for (const item of decision.items) {
      const list = onItem.get(item);
      if (list === undefined) onItem.set(item, [decision]);
      else list.push(decision);
    }
    const own = stacksOf(decision.client);
    own.undo.push(decision.sequence);
    own.redo.length = 0;
    return decision;
  };

  return {
    add(entry) {
      if (entry.sequence !== sequence + 1)
        throw new Error(`expected the sequence number ${sequence + 1}, got ${entry.sequence}`);
      const concerned =
        "verdict" in entry
          ? decide(entry)
          : reverse((entry.undo ?? entry.redo)!, entry.client, entry.redo === undefined);
      for (const item of concerned.items) {
        versions.set(item, entry.sequence);
        current[item] = statuses.indexOf((standing(item)?.verdict ?? "open") as Status);
      }
      sequence = entry.sequence;
    },
    standing,
    status: (item) => statuses[current[item]!]!,
    version: (item) => versions.get(item) ?? 0,
    get sequence() {
      return sequence;
    },
    undoable: (client) => decisions.get(stacks.get(client)?.undo.at(-1) ?? 0),
    redoable: (client) => decisions.get(stacks.get(client)?.redo.at(-1) ?? 0),
    made,
  };
}

/** Sequence numbers of decisions, the next to be reversed last. */
interface Stacks {
  readonly undo: number[];
  readonly redo: number[];
}
