import { useEffect, useRef, useState } from "preact/hooks";
import type { Row } from "../queue.ts";
import { hueOf } from "./hue.ts";
import { Icon } from "./icon.tsx";
import type { State, Store } from "./store.ts";
import { count, kindNames, statusNames } from "./words.ts";

const rowHeight = 46;
/** Rows that are fetched at once. */
const pageSize = 100;

/** The list of all suspicions that pass the filter. Only the rows in view exist; others are fetched as they come into it. */
export function QueueList({ store, state }: { readonly store: Store; readonly state: State }) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const { total, rows } = useRows(store, state, view);
  const position = state.card?.position ?? undefined;

  useEffect(() => {
    const element = box.current!;
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const element = box.current!;
    if (position === undefined) return;
    const top = position * rowHeight;
    const isIn = top >= element.scrollTop && top + rowHeight <= element.scrollTop + element.clientHeight;
    if (!isIn) element.scrollTop = Math.max(0, top - element.clientHeight / 3);
  }, [position, total]);

  const first = Math.max(0, Math.floor(view.top / rowHeight) - 4);
  const last = Math.min(total, Math.ceil((view.top + view.height) / rowHeight) + 4);
  const places = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
  const active = position !== undefined && position >= first && position < last ? `row-${position}` : undefined;
  return (
    <>
      <p class="total">{total === 1 ? "1 suspicion" : `${count(total)} suspicions`}</p>
      <div
        ref={box}
        class="rows"
        role="listbox"
        tabIndex={0}
        aria-label="Suspicions"
        aria-activedescendant={active}
        onScroll={(event) => setView({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight })}
      >
        <div class="all-rows" role="presentation" style={{ height: `${total * rowHeight}px` }}>
          {places.map((place) => (
            <QueueRow
              key={place}
              place={place}
              total={total}
              row={rows.get(place)}
              types={state.start.types}
              isCurrent={place === position}
              onOpen={store.goTo}
            />
          ))}
        </div>
      </div>
    </>
  );
}

interface RowProps {
  readonly place: number;
  readonly total: number;
  readonly row: Row | undefined;
  readonly types: readonly string[];
  readonly isCurrent: boolean;
  readonly onOpen: (item: number) => void;
}

function QueueRow({ place, total, row, types, isCurrent, onOpen }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the list has the focus, and keys move in it
    <div
      id={`row-${place}`}
      class={`row${isCurrent ? " current" : ""}${row === undefined ? "" : ` row-${row.status}`}`}
      role="option"
      aria-selected={isCurrent}
      aria-posinset={place + 1}
      aria-setsize={total}
      style={{ top: `${place * rowHeight}px` }}
      onClick={() => row !== undefined && onOpen(row.item)}
    >
      {row !== undefined && (
        <>
          <span class={`row-kind kind-${row.kind}`}>
            <Icon name={row.kind} />
            <span class="said">{kindNames[row.kind]}</span>
          </span>
          <bdi class="row-text">{row.text}</bdi>
          <bdi class={`row-type hue-${hueOf(types, row.type)}`}>{row.type}</bdi>
          <span class={`row-status status-${row.status}`}>
            <Icon name={row.status} />
            <span class="said">{statusNames[row.status]}</span>
          </span>
        </>
      )}
    </div>
  );
}

interface Rows {
  readonly total: number;
  readonly rows: ReadonlyMap<number, Row>;
}

/** The rows in view, fetched again when the list may have changed; old ones stay until the new are there. */
function useRows(
  store: Store,
  { filter, listVersion }: State,
  view: { readonly top: number; readonly height: number },
): Rows {
  const [known, setKnown] = useState<Rows & { readonly filter: unknown }>({ total: 0, rows: new Map(), filter });
  const fetched = useRef({ key: "", pages: new Set<number>() });
  const firstPage = Math.floor(view.top / rowHeight / pageSize);
  const lastPage = Math.floor((view.top + view.height) / rowHeight / pageSize);
  const key = JSON.stringify([filter, listVersion]);
  useEffect(() => {
    if (fetched.current.key !== key) fetched.current = { key, pages: new Set() };
    const { pages } = fetched.current;
    // What is out of view may be forgotten, and is asked for again when it comes back.
    for (const page of pages) if (page < firstPage || page > lastPage) pages.delete(page);
    for (let page = firstPage; page <= lastPage; page++) {
      if (pages.has(page)) continue;
      pages.add(page);
      store.calls
        .queue({ filter, from: page * pageSize, count: pageSize })
        .then(({ total, from, rows }) => {
          if (fetched.current.key !== key) return;
          setKnown((before) => {
            const kept = before.filter === filter ? near(before.rows, from) : [];
            return { filter, total, rows: new Map([...kept, ...rows.map((row, i) => [from + i, row] as const)]) };
          });
        })
        .catch(() => pages.delete(page));
    }
  }, [store, key, filter, firstPage, lastPage]);
  return known;
}

/** Rows of a page and of its neighbours: those farther away cost time with every decision, and are fetched again. */
function near(rows: ReadonlyMap<number, Row>, from: number): (readonly [number, Row])[] {
  return [...rows].filter(([place]) => place >= from - pageSize && place < from + 2 * pageSize);
}
