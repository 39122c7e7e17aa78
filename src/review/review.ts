import { createHash } from "node:crypto";
import { lacuna } from "../formats/index.ts";
import type { Document } from "../text/index.ts";
import { InputError, messageOf } from "../util/errors.ts";
import type { AuditFile } from "./audit-file.ts";
import { assertSame, type Decisions } from "./decisions-format.ts";
import { type History, history } from "./history.ts";
import type { Header, Item, Passage } from "./model.ts";
import { passageOf } from "./passage.ts";
import { type Place, placesOf, tokensAt } from "./places.ts";
import { reviewed } from "./reviewed.ts";

/** Data and their audit, which fit together. */
export interface Review {
  readonly header: Header;
  readonly items: readonly Item[];
  /** The types of the data and of the audit, the most frequent first. */
  readonly types: readonly string[];
  passageOf(item: number): Passage;
  /** The documents as the decisions leave them. */
  reviewed(history: History): Iterable<Document>;
  /** The history of a decisions file of this review. */
  historyOf(decisions: Decisions, file: string): History;
}

export async function openReview(documents: readonly Document[], audit: AuditFile): Promise<Review> {
  const items: readonly Item[] = audit.suspicions;
  const places = placesOf(documents, audit);
  const header: Header = {
    review: 1,
    data: await hashOf(documents),
    audit: audit.sha256,
    suspicions: items.length,
  };
  return {
    header,
    items,
    types: typesOf(documents, items),
    passageOf(item) {
      const suspicion = items[item - 1]!;
      const place = places[item - 1]!;
      return passageOf(documents[place.document]!, place, around(suspicion));
    },
    reviewed: (decisions) => reviewed(documents, items, places, decisions),
    historyOf: (decisions, file) => checkedHistory(decisions, file, { header, documents, items, places }),
  };
}

/** The characters of what stands there and of what is suggested. */
function around({ start, end, given }: Item): { readonly start: number; readonly end: number } {
  return { start: Math.min(start, given?.start ?? start), end: Math.max(end, given?.end ?? end) };
}

/** Of what the documents hold, whatever file format they came in. */
async function hashOf(documents: readonly Document[]): Promise<string> {
  const hash = createHash("sha256");
  for await (const line of lacuna.write(each(documents), {})) hash.update(line);
  return hash.digest("hex");
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T, void, undefined> {
  yield* items;
}

function typesOf(documents: readonly Document[], items: readonly Item[]): readonly string[] {
  const counts = new Map<string, number>();
  const count = (type: string): void => void counts.set(type, (counts.get(type) ?? 0) + 1);
  for (const { sentences } of documents)
    for (const { entities } of sentences) for (const { type } of entities) count(type);
  for (const { type } of items) count(type);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([type]) => type);
}

interface Checked {
  readonly header: Header;
  readonly documents: readonly Document[];
  readonly items: readonly Item[];
  readonly places: readonly Place[];
}

/** A file may have been edited: every entry must follow from those before, and every span be one of whole tokens. */
function checkedHistory(decisions: Decisions, file: string, { header, documents, items, places }: Checked): History {
  assertSame(decisions.header, header, file);
  const made = history(items.length);
  for (const [i, entry] of decisions.entries.entries()) {
    const fail = (message: string): never => {
      throw new InputError(message, { file, line: i + 2 });
    };
    try {
      made.add(entry);
    } catch (error) {
      fail(messageOf(error));
    }
    if (!("verdict" in entry) || (entry.start ?? entry.end) === undefined) continue;
    const { start = -1, end = -1, items: concerned } = entry;
    const { document, sentence } = places[concerned[0]! - 1]!;
    const isWhole = tokensAt(documents[document]!.sentences[sentence]!, { start, end }) !== undefined;
    if (concerned.length > 1 || !isWhole) fail(`[${start}, ${end}) are not whole tokens of one sentence`);
  }
  return made;
}
