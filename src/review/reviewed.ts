import { annotate, type Document, type Sentence } from "../text/index.ts";
import { applyOutcome } from "./apply.ts";
import type { History } from "./history.ts";
import type { Decision, Item, Mark } from "./model.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { type Place, tokensAt } from "./places.ts";

/** The documents after all decisions that stand, in the order in which they were made: the last word counts. */
export function* reviewed(
  documents: readonly Document[],
  items: readonly Item[],
  places: readonly Place[],
  history: History,
): Generator<Document, void, undefined> {
  const decided = decisionsByPlace(items, places, history);
  for (const [i, document] of documents.entries()) {
    const here = decided.get(i);
    if (here === undefined) yield document;
    else
      yield {
        ...document,
        sentences: document.sentences.map((sentence, j) => {
          const decisions = here.get(j);
          return decisions === undefined ? sentence : decide(sentence, decisions);
        }),
      };
  }
}

interface Decided {
  readonly item: Item;
  readonly decision: Decision;
}

/** Decisions by document and sentence. */
function decisionsByPlace(
  items: readonly Item[],
  places: readonly Place[],
  history: History,
): ReadonlyMap<number, ReadonlyMap<number, Decided[]>> {
  const found = new Map<number, Map<number, Decided[]>>();
  for (const [i, item] of items.entries()) {
    const decision = history.standing(i + 1);
    if (decision === undefined) continue;
    const { document, sentence } = places[i]!;
    const inDocument = found.get(document) ?? new Map<number, Decided[]>();
    found.set(document, inDocument);
    inDocument.set(sentence, [...(inDocument.get(sentence) ?? []), { item, decision }]);
  }
  return found;
}

function decide(sentence: Sentence, decisions: readonly Decided[]): Sentence {
  let { entities, rejected, unsure }: Pick<Sentence, "entities" | "rejected" | "unsure"> = sentence;
  for (const { item, decision } of decisions.toSorted((a, b) => a.decision.sequence - b.decision.sequence))
    ({ entities, rejected, unsure } = applyOutcome(
      { entities, rejected, unsure },
      inTokens(sentence, outcomeOf(item, decision)),
    ));
  return annotate(sentence, { entities, rejected, unsure });
}

function inTokens(sentence: Sentence, { right, wrong, unsure }: Outcome): Outcome {
  const convert = (marks: readonly Mark[]): Mark[] =>
    marks.map((mark) => ({ ...tokensAt(sentence, mark)!, type: mark.type }));
  return { right: convert(right), wrong: convert(wrong), unsure: convert(unsure) };
}
