import { annotate, characters, type Document, type Entity, type Sentence } from "../text/index.ts";
import { documentNames } from "./document-names.ts";
import type { Suspicion } from "./suspicion.ts";

export interface TaskOptions {
  /** What is doubted stays beside what is suggested; without it, the suggestion takes its place. */
  readonly keepGiven: boolean;
}

/**
 * The documents about which something is suspected, in the order of the suspicions, as tasks for an annotation tool: what
 * is suggested are entities with a score, and a label that looks like no entity says so where its source stands.
 */
export function taskDocuments(
  documents: readonly Document[],
  suspicions: readonly Suspicion[],
  { keepGiven }: TaskOptions,
): Document[] {
  const byName = new Map(documentNames(documents).map((name, i) => [name, documents[i]!]));
  const groups = new Map<Document, Suspicion[]>();
  for (const suspicion of suspicions) {
    const document = byName.get(suspicion.document)!;
    const group = groups.get(document);
    if (group) group.push(suspicion);
    else groups.set(document, [suspicion]);
  }
  return [...groups].map(([document, own]) => ({
    ...document,
    sentences: document.sentences.map((sentence) => withSuggestions(sentence, own, keepGiven)),
  }));
}

function withSuggestions(sentence: Sentence, suspicions: readonly Suspicion[], keepGiven: boolean): Sentence {
  const { offsets } = sentence;
  const [first, last] = [offsets[0] ?? 0, offsets.at(-1) ?? 0];
  const own = suspicions.filter(({ start, end }) => first <= start && end <= last);
  if (own.length === 0) return sentence;
  const doubtedBy = (entity: Entity): Suspicion | undefined => {
    const { start, end } = characters(sentence, entity);
    return own.find(
      ({ given }) => given !== null && given.start === start && given.end === end && given.type === entity.type,
    );
  };
  const kept = sentence.entities.flatMap((entity): Entity[] => {
    const doubt = doubtedBy(entity);
    if (doubt === undefined || (keepGiven && doubt.kind !== "wrong")) return [entity];
    return doubt.kind === "wrong" ? [{ ...entity, provenance: provenanceOf(doubt) }] : [];
  });
  const suggested = own.flatMap((suspicion): Entity[] => {
    if (suspicion.kind === "wrong") return [];
    const { score, type } = suspicion;
    const [start, end] = [tokenFrom(offsets, suspicion.start), tokenUpTo(offsets, suspicion.end)];
    return [{ start, end, type, score, provenance: provenanceOf(suspicion) }];
  });
  return annotate(sentence, { entities: [...kept, ...suggested] });
}

function provenanceOf({ kind, score, reasons }: Suspicion): { source: string; entry: string } {
  return { source: `lacuna audit: ${kind} ${score}`, entry: reasons.join(" ") };
}

function tokenFrom(offsets: Int32Array, start: number): number {
  for (let token = 0; 2 * token < offsets.length; token++) if (offsets[2 * token] === start) return token;
  throw new RangeError(`no token starts at ${start}`);
}

function tokenUpTo(offsets: Int32Array, end: number): number {
  for (let token = 0; 2 * token < offsets.length; token++) if (offsets[2 * token + 1] === end) return token + 1;
  throw new RangeError(`no token ends at ${end}`);
}
