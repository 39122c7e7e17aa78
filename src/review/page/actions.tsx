import type { Card } from "../calls.ts";
import type { Mark } from "../model.ts";
import { Icon } from "./icon.tsx";
import type { Store } from "./store.ts";
import { acceptWords, count, rejectWords } from "./words.ts";

interface Props {
  readonly store: Store;
  readonly card: Card;
  readonly draft: Mark;
}

/** The decision, for this place or for all of its group. */
export function Actions({ store, card, draft }: Props) {
  const others = card.group.open - (card.status === "open" ? 1 : 0);
  return (
    <div class="actions">
      <div class="verdicts">
        <button type="button" class="verdict accept" onClick={() => store.decide("accept")}>
          <Icon name="accept" /> <bdi class="words">{acceptWords(card, draft)}</bdi> <kbd>A</kbd>
        </button>
        <button type="button" class="verdict reject" onClick={() => store.decide("reject")}>
          <Icon name="reject" /> <bdi class="words">{rejectWords(card)}</bdi> <kbd>R</kbd>
        </button>
        <button type="button" class="verdict unsure" onClick={() => store.decide("unsure")}>
          <Icon name="unsure" /> <span class="words">Unsure</span> <kbd>U</kbd>
        </button>
      </div>
      {others > 0 && (
        <fieldset class="group">
          <legend>
            The same in {count(others)} more {others === 1 ? "place" : "places"}
          </legend>
          <button type="button" onClick={() => store.decide("accept", true)}>
            Accept all <kbd>⇧A</kbd>
          </button>
          <button type="button" onClick={() => store.decide("reject", true)}>
            Reject all <kbd>⇧R</kbd>
          </button>
          <button type="button" onClick={() => store.decide("unsure", true)}>
            Unsure about all <kbd>⇧U</kbd>
          </button>
        </fieldset>
      )}
      {card.status !== "open" && (
        <button type="button" class="quiet" onClick={() => store.decide("open")}>
          Open again <kbd>O</kbd>
        </button>
      )}
    </div>
  );
}
