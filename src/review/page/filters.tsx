import { type Filter, kinds, type Status, statuses } from "../model.ts";
import { Icon } from "./icon.tsx";
import type { State, Store } from "./store.ts";
import { count, kindNames, shortCount, statusNames } from "./words.ts";

/** Which suspicions the queue has. */
export function Filters({ store, state }: { readonly store: Store; readonly state: State }) {
  const { filter, start } = state;
  const types = Object.entries(start.typeCounts).sort(([, a], [, b]) => b - a);
  return (
    <search class="filters">
      <div class="search">
        <Icon name="search" />
        <input
          id="search"
          type="search"
          placeholder="Search"
          aria-label="Search surfaces and documents"
          value={state.search}
          onInput={(event) => store.search(event.currentTarget.value)}
        />
        <kbd>/</kbd>
      </div>
      <fieldset class="kinds">
        <legend class="said">Kind</legend>
        {kinds
          .filter((kind) => start.kinds[kind] !== undefined)
          .map((kind) => (
            <button
              key={kind}
              type="button"
              class={`kind kind-${kind}`}
              aria-pressed={filter.kind === kind}
              onClick={() => store.filter({ kind: filter.kind === kind ? undefined : kind })}
            >
              <Icon name={kind} /> {kindNames[kind]} <span class="count">{shortCount(start.kinds[kind]!)}</span>
            </button>
          ))}
      </fieldset>
      <div class="selects">
        <select
          aria-label="Type"
          value={filter.type ?? ""}
          onChange={(event) => store.filter({ type: event.currentTarget.value || undefined })}
        >
          <option value="">All types</option>
          {types.map(([type, number]) => (
            <option key={type} value={type}>
              {`${type} (${count(number)})`}
            </option>
          ))}
        </select>
        <select
          aria-label="State"
          value={filter.status ?? ""}
          onChange={(event) => store.filter({ status: (event.currentTarget.value || undefined) as Filter["status"] })}
        >
          <option value="">All states</option>
          {(["open", "decided", ...statuses.slice(1)] as const).map((status) => (
            <option key={status} value={status}>
              {status === "decided" ? "Decided" : statusNames[status as Status]}
            </option>
          ))}
        </select>
      </div>
    </search>
  );
}
