import type { Card } from "../calls.ts";
import type { Mark } from "../model.ts";
import { Actions } from "./actions.tsx";
import { Editor } from "./editor.tsx";
import { Icon } from "./icon.tsx";
import { PassageView } from "./passage.tsx";
import type { Store } from "./store.ts";
import { count, kindNames, short, statusNames, surfaceOf } from "./words.ts";

interface Props {
  readonly store: Store;
  readonly card: Card;
  readonly draft: Mark;
  readonly types: readonly string[];
}

/** One suspicion: the question, the sentence, the reasons, and what can be done. */
export function CardView({ store, card, draft, types }: Props) {
  return (
    <article class="card" aria-labelledby="question">
      <div class="card-head">
        <span class={`kind kind-${card.kind}`}>
          <Icon name={card.kind} /> {kindNames[card.kind]}
        </span>
        <Score score={card.score} />
        <span class="where">
          Document <bdi>{typeof card.document === "number" ? count(card.document) : short(card.document)}</bdi>
        </span>
        {card.status !== "open" && (
          <span class={`status status-${card.status}`}>
            <Icon name={card.status} /> {statusNames[card.status]}
          </span>
        )}
      </div>
      <h2 id="question" tabIndex={-1}>
        <Question card={card} />
      </h2>
      <PassageView card={card} draft={draft} types={types} onSpan={(span) => store.change(span)} />
      {card.reasons.length > 0 && (
        <section class="reasons" aria-label="Reasons">
          <ul>
            {card.reasons.map((reason, i) => (
              <li key={i} dir="auto">
                {reason}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Editor store={store} card={card} draft={draft} types={types} />
      <Actions store={store} card={card} draft={draft} />
    </article>
  );
}

function Question({ card }: { readonly card: Card }) {
  const surface = <Surface text={card.text} />;
  const type = <bdi>{card.type}</bdi>;
  switch (card.kind) {
    case "missing":
      return (
        <>
          Is {surface} a missing {type}?
        </>
      );
    case "wrong":
      return (
        <>
          Is {type} wrong for {surface}?
        </>
      );
    case "type":
      return (
        <>
          Is {surface} {type}, not <bdi>{card.given?.type}</bdi>?
        </>
      );
    case "boundary": {
      const given = <Surface text={card.given === null ? "" : surfaceOf(card, card.given)} />;
      if (card.given?.type === card.type)
        return (
          <>
            Does {type} cover {surface}, not {given}?
          </>
        );
      return (
        <>
          Is {surface} {type}, not {given} <bdi>{card.given?.type}</bdi>?
        </>
      );
    }
  }
}

function Surface({ text }: { readonly text: string }) {
  return (
    <span class="surface">
      “<bdi>{short(text)}</bdi>”
    </span>
  );
}

function Score({ score }: { readonly score: number }) {
  const percent = Math.round(100 * score);
  return (
    <span class="score">
      <span class="score-bar" aria-hidden="true">
        <span style={{ width: `${percent}%` }} />
      </span>
      {percent} % sure
    </span>
  );
}
