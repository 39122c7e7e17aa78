import type { Card } from "../calls.ts";
import type { Mark } from "../model.ts";
import { moved } from "./boundaries.ts";
import { hueOf } from "./hue.ts";
import type { Store } from "./store.ts";
import { isChanged } from "./words.ts";

interface Props {
  readonly store: Store;
  readonly card: Card;
  readonly draft: Mark;
  readonly types: readonly string[];
}

/** Types with a number key of their own. */
export const numberedTypes = 9;

/** Type and span, to be changed before they are accepted. */
export function Editor({ store, card, draft, types }: Props) {
  const others = types.slice(numberedTypes);
  const shift = (side: "start" | "end", by: 1 | -1) => () => store.change(moved(card.passage.tokens, draft, side, by));
  return (
    <div class="editor">
      <fieldset class="types">
        <legend>Type</legend>
        {types.slice(0, numberedTypes).map((type, i) => (
          <button
            key={type}
            type="button"
            class={`chip hue-${hueOf(types, type)}`}
            aria-pressed={draft.type === type}
            onClick={() => store.change({ type })}
          >
            <kbd>{i + 1}</kbd> <bdi>{type}</bdi>
          </button>
        ))}
        {types.length > 0 && (
          <select
            id="all-types"
            aria-label="All types"
            class={others.length === 0 ? "said" : ""}
            value={draft.type}
            onChange={(event) => store.change({ type: event.currentTarget.value })}
          >
            {types.map((type) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </select>
        )}
      </fieldset>
      <fieldset class="span">
        <legend>Span</legend>
        <span class="pair">
          <button type="button" aria-label="Start one token back" onClick={shift("start", -1)}>
            ◂
          </button>
          <span aria-hidden="true">start</span>
          <button type="button" aria-label="Start one token on" onClick={shift("start", 1)}>
            ▸
          </button>
        </span>
        <span class="pair">
          <button type="button" aria-label="End one token back" onClick={shift("end", -1)}>
            ◂
          </button>
          <span aria-hidden="true">end</span>
          <button type="button" aria-label="End one token on" onClick={shift("end", 1)}>
            ▸
          </button>
        </span>
        <button type="button" class="quiet" disabled={!isChanged(card, draft)} onClick={() => store.reset()}>
          Reset
        </button>
      </fieldset>
    </div>
  );
}
