import { useEffect, useState } from "preact/hooks";
import { CardView } from "./card.tsx";
import { Filters } from "./filters.tsx";
import { Header } from "./header.tsx";
import { Help } from "./help.tsx";
import { QueueList } from "./queue.tsx";
import type { State, Store } from "./store.ts";
import { useKeys } from "./use-keys.ts";
import { count } from "./words.ts";

interface Props {
  readonly store: Store;
  readonly isFromDisk: boolean;
}

export function App({ store, isFromDisk }: Props) {
  const state = useStore(store);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isQueueOpen, setQueueOpen] = useState(false);
  const { hasKeys, setKeys } = useKeys(store, { help: () => setHelpOpen((open) => !open), isHelpOpen });
  if (state.finished !== undefined) return <Finished file={state.finished} state={state} />;
  return (
    <div class={`page${isQueueOpen ? " queue-open" : ""}`}>
      <Header
        store={store}
        state={state}
        isFromDisk={isFromDisk}
        onHelp={() => setHelpOpen(true)}
        onQueue={() => setQueueOpen((open) => !open)}
      />
      <nav class="queue" aria-label="Queue">
        <Filters store={store} state={state} />
        <QueueList store={store} state={state} />
      </nav>
      <main>
        {state.trouble !== undefined && (
          <p class="trouble" role="alert">
            {`Not saved: ${state.trouble}`}
          </p>
        )}
        <Content store={store} state={state} isFromDisk={isFromDisk} />
      </main>
      <p class="message" role="status" aria-live="polite">
        {state.message !== "" && <span key={state.messageNumber}>{state.message}</span>}
      </p>
      <Help isOpen={isHelpOpen} hasKeys={hasKeys} onKeys={setKeys} onClose={() => setHelpOpen(false)} />
    </div>
  );
}

function Content({ store, state, isFromDisk }: Props & { readonly state: State }) {
  const { card, draft, summary } = state;
  if (card !== null && draft !== undefined)
    return <CardView store={store} card={card} draft={draft} types={state.start.types} />;
  const isDone = summary.open === 0;
  return (
    <section class="card empty">
      <h2>{isDone ? "Everything is decided" : "Nothing here is open"}</h2>
      <p>
        {isDone
          ? `${count(summary.accept)} accepted, ${count(summary.reject)} rejected, ${count(summary.unsure)} unsure.`
          : `${count(summary.open)} suspicions are open that the filter does not show.`}
      </p>
      {isDone ? (
        <button type="button" class="finish" onClick={() => store.write(!isFromDisk)}>
          {isFromDisk ? "Download decisions" : "Write the reviewed file and finish"}
        </button>
      ) : (
        <button
          type="button"
          class="finish"
          onClick={() => store.filter({ kind: undefined, type: undefined, status: undefined, search: undefined })}
        >
          Show all
        </button>
      )}
    </section>
  );
}

function Finished({ file, state: { summary } }: { readonly file: string; readonly state: State }) {
  return (
    <main class="finished">
      <section class="card empty">
        <h1>Finished</h1>
        <p>
          {count(summary.total - summary.open)} of {count(summary.total)} decided. The reviewed data are in{" "}
          <bdi class="file">{file}</bdi>.
        </p>
        <p>You can close this tab. The same command goes on where you stopped.</p>
      </section>
    </main>
  );
}

/** The state of the store; a change shows the page anew. */
function useStore(store: Store): State {
  const [state, setState] = useState(store.get());
  useEffect(() => store.subscribe(() => setState(store.get())), [store]);
  return state;
}
