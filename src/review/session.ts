import { type Annotations, applyOutcome } from "./apply.ts";
import type { Card, Decided, DecideRequest, Reversed, Start, Summary } from "./calls.ts";
import { type History, history as newHistory } from "./history.ts";
import type { Decision, Entry, Filter, Item, Mark, Passage } from "./model.ts";
import { outcomeOf, sameMark } from "./outcome.ts";
import { paceOf } from "./pace.ts";
import { type QueuePage, queue as queueOf } from "./queue.ts";
import { tally } from "./tally.ts";

/** What a review is made of, on the server or in a page that was opened from disk. */
export interface SessionParts {
  readonly items: readonly Item[];
  /** All types, those of number keys first. */
  readonly types: readonly string[];
  readonly data: string;
  readonly audit: string;
  /** Entries that were made before. */
  readonly entries: readonly Entry[];
  passageOf(item: number): Passage;
  /** Keeps an entry; a decision counts when this is over. */
  save(entry: Entry): Promise<void>;
  /** The time as an ISO string. */
  now(): string;
}

/** A review: what the page asks for, and the decisions. */
export interface Session {
  readonly history: History;
  start(client: string): Start;
  queue(filter: Filter, from: number, count: number): QueuePage;
  card(item: number, filter: Filter): Card;
  step(item: number, filter: Filter, direction: 1 | -1, openOnly: boolean): Card | null;
  summary(client: string): Summary;
  decide(request: DecideRequest): Promise<Decided>;
  undo(client: string, filter: Filter): Promise<Reversed>;
  redo(client: string, filter: Filter): Promise<Reversed>;
}

/** A decision that does not fit the review: a page of another version, or somebody who tries things out. */
export class BadRequest extends Error {}

export function session(parts: SessionParts): Session {
  const { items, types } = parts;
  const history = newHistory(items.length);
  for (const entry of parts.entries) history.add(entry);
  const queue = queueOf(items, history);
  const groups = grouped(items.map(({ group }) => group));
  const neighbours = neighbourhood(items);
  const tallied = tally(items, history.status);
  const counted = {
    kinds: countsOf(items.map(({ kind }) => kind)),
    typeCounts: countsOf(items.map(({ type }) => type)),
  };
  const inTurn = serial();

  const record = async (content: Record<string, unknown>, client: string, on: readonly number[]): Promise<void> => {
    const entry = { sequence: history.sequence + 1, time: parts.now(), client, ...content } as unknown as Entry;
    await parts.save(entry);
    tallied.during(on, () => history.add(entry));
  };

  const card = (item: number, filter: Filter): Card => {
    const suspicion = items[item - 1]!;
    const passage = parts.passageOf(item);
    const decision = history.standing(item);
    const members = groups.get(suspicion.group)!;
    return {
      ...suspicion,
      item,
      status: history.status(item),
      decision: decision === undefined ? null : { type: decision.type, start: decision.start, end: decision.end },
      version: history.version(item),
      position: queue.position(filter, item) ?? null,
      group: { size: members.length, open: members.filter((each) => history.status(each) === "open").length },
      passage: { ...passage, entities: entitiesBeside(item, passage) },
    };
  };

  /** What is labelled around an item by the data and by the decisions on others. */
  const entitiesBeside = (item: number, passage: Passage): readonly Mark[] => {
    const { given } = items[item - 1]!;
    const decisions = neighbours(item, passage)
      .map((other) => ({ other, decision: history.standing(other) }))
      .filter(({ other, decision }) => decision !== undefined && other !== item)
      .sort((a, b) => a.decision!.sequence - b.decision!.sequence);
    let annotations: Annotations = { entities: passage.entities, rejected: [], unsure: [] };
    for (const { other, decision } of decisions)
      annotations = applyOutcome(annotations, outcomeOf(items[other - 1]!, decision!));
    const [start, end] = [passage.offset, passage.offset + passage.text.length];
    return annotations.entities
      .filter((mark) => mark.start < end && mark.end > start && (given === null || !sameMark(mark, given)))
      .map(({ start, end, type }) => ({ start, end, type }));
  };

  const summary = (client: string): Summary => {
    const { counts, scores } = tallied;
    const judged = scores.accept + scores.reject;
    const pace = paceOf(history.made);
    return {
      ...counts,
      total: items.length,
      sequence: history.sequence,
      perMinute: pace?.decisions ?? null,
      minutesLeft: pace === undefined ? null : counts.open / pace.items,
      // The scores, corrected by how often they were right so far; ten suspicions' worth of trust in them to begin with.
      rightLeft: Math.max(0, (scores.open * (counts.accept + 10)) / (judged + 10)),
      canUndo: history.undoable(client) !== undefined,
      canRedo: history.redoable(client) !== undefined,
    };
  };

  const firstOpen = (filter: Filter): number | undefined => queue.step(filter, 0, 1, true);

  const step = (item: number, filter: Filter, direction: 1 | -1, openOnly: boolean): Card | null => {
    const found = queue.step(filter, item, direction, openOnly);
    return found === undefined ? null : card(found, filter);
  };

  const decide = async (request: DecideRequest): Promise<Decided> => {
    const { client, item, filter } = request;
    const suspicion = suspicionAt(items, item);
    if (request.version !== history.version(item))
      return { outcome: "conflict", card: card(item, filter), summary: summary(client) };
    const content = contentOf(request, suspicion);
    assertFits(content, types, request.group ? undefined : parts.passageOf(item));
    const others = request.group
      ? groups.get(suspicion.group)!.filter((each) => each !== item && history.status(each) === "open")
      : [];
    const concerned = [item, ...others];
    await record({ ...content, items: concerned }, client, concerned);
    return {
      outcome: "saved",
      items: 1 + others.length,
      next: step(item, filter, 1, true),
      summary: summary(client),
    };
  };

  const reverse = async (way: "undo" | "redo", client: string, filter: Filter): Promise<Reversed> => {
    const decision = way === "undo" ? history.undoable(client) : history.redoable(client);
    if (decision === undefined) return { card: null, items: 0, summary: summary(client) };
    await record({ [way]: decision.sequence }, client, decision.items);
    return { card: card(decision.items[0]!, filter), items: decision.items.length, summary: summary(client) };
  };

  return {
    history,
    start: (client) => ({
      data: parts.data,
      audit: parts.audit,
      types,
      ...counted,
      summary: summary(client),
      card: items.length === 0 ? null : card(firstOpen({}) ?? 1, {}),
    }),
    queue: queue.page,
    card(item, filter) {
      suspicionAt(items, item);
      return card(item, filter);
    },
    step,
    summary,
    decide: (request) => inTurn(() => decide(request)),
    undo: (client, filter) => inTurn(() => reverse("undo", client, filter)),
    redo: (client, filter) => inTurn(() => reverse("redo", client, filter)),
  };
}

function suspicionAt(items: readonly Item[], item: number): Item {
  const found = items[item - 1];
  if (found === undefined) throw new BadRequest(`there is no suspicion ${item}`);
  return found;
}

type Content = Pick<Decision, "verdict" | "type" | "start" | "end">;

/** Only what differs from the suggestion is kept, and only where something is accepted. */
function contentOf({ verdict, type, start, end }: DecideRequest, item: Item): Content {
  if (verdict !== "accept") return { verdict };
  const moved = start !== undefined && end !== undefined && (start !== item.start || end !== item.end);
  const retyped = type !== undefined && type !== item.type;
  return { verdict, ...(retyped && { type }), ...(moved && { start, end }) };
}

function assertFits({ type, start, end }: Content, types: readonly string[], passage: Passage | undefined): void {
  if (type !== undefined && !types.includes(type)) throw new BadRequest(`there is no type ${JSON.stringify(type)}`);
  if (start === undefined || end === undefined) return;
  if (passage === undefined) throw new BadRequest("a span is changed in one place at a time");
  const { tokens } = passage;
  const fits =
    start < end &&
    tokens.some((at, i) => i % 2 === 0 && at === start) &&
    tokens.some((at, i) => i % 2 === 1 && at === end);
  if (!fits) throw new BadRequest(`the span [${start}, ${end}) is not one of whole tokens of the sentence`);
}

/** Numbers of items from 1, by a key. */
function grouped<K>(keys: readonly K[]): ReadonlyMap<K, readonly number[]> {
  const found = new Map<K, number[]>();
  for (const [i, key] of keys.entries()) {
    const list = found.get(key);
    if (list === undefined) found.set(key, [i + 1]);
    else list.push(i + 1);
  }
  return found;
}

function countsOf(keys: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...grouped(keys)].map(([key, list]) => [key, list.length]));
}

/** Finds the items of the same document that begin in a passage. */
function neighbourhood(items: readonly Item[]): (item: number, passage: Passage) => readonly number[] {
  const startOf = (item: number): number => items[item - 1]!.start;
  const byDocument = new Map(
    [...grouped(items.map(({ document }) => document))].map(([document, list]) => [
      document,
      [...list].sort((a, b) => startOf(a) - startOf(b)),
    ]),
  );
  return (item, { offset, text }) => {
    const list = byDocument.get(items[item - 1]!.document)!;
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (startOf(list[middle]!) < offset) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (end < list.length && startOf(list[end]!) < offset + text.length) end++;
    return list.slice(low, end);
  };
}

/** Does one thing after another, in the order in which they were asked for. */
function serial(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}
