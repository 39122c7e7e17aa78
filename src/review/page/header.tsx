import { Icon } from "./icon.tsx";
import type { State, Store } from "./store.ts";
import { count, duration } from "./words.ts";

interface Props {
  readonly store: Store;
  readonly state: State;
  /** What the file is called that is written: the reviewed data, or decisions to be sent back. */
  readonly isFromDisk: boolean;
  readonly onHelp: () => void;
  readonly onQueue: () => void;
}

export function Header({ store, state, isFromDisk, onHelp, onQueue }: Props) {
  const { summary, start } = state;
  return (
    <header>
      <button type="button" class="quiet to-queue" onClick={onQueue}>
        <Icon name="list" /> <span>Queue</span>
      </button>
      <h1>
        <span class="logo" aria-hidden="true" /> Lacuna <span class="page-name">review</span>
      </h1>
      <p class="files">
        <bdi>{start.data}</bdi>
      </p>
      <Progress state={state} />
      <div class="tools">
        <button type="button" class="quiet" disabled={!summary.canUndo} onClick={() => store.undo()}>
          <Icon name="undo" /> <span class="label">Undo</span>
        </button>
        <button type="button" class="quiet" disabled={!summary.canRedo} onClick={() => store.redo()}>
          <Icon name="redo" /> <span class="label">Redo</span>
        </button>
        <button type="button" class="quiet" aria-keyshortcuts="?" onClick={onHelp}>
          <kbd>?</kbd> <span class="label">Keys</span>
        </button>
        <button type="button" class="finish" onClick={() => store.write(!isFromDisk)}>
          <Icon name="save" /> <span>{isFromDisk ? "Download decisions" : "Finish"}</span>
        </button>
      </div>
    </header>
  );
}

function Progress({ state: { summary } }: { readonly state: State }) {
  const { total, open, accept, reject, unsure, perMinute, minutesLeft, rightLeft } = summary;
  const decided = total - open;
  const share = (number: number): string => `${total === 0 ? 0 : (100 * number) / total}%`;
  return (
    <section class="progress" aria-label="Progress">
      <div class="bar" aria-hidden="true">
        <span class="bar-accept" style={{ width: share(accept) }} />
        <span class="bar-reject" style={{ width: share(reject) }} />
        <span class="bar-unsure" style={{ width: share(unsure) }} />
      </div>
      <p>
        <strong>{count(decided)}</strong> of {count(total)} decided
        {perMinute !== null && <span class="more"> · {perMinute.toFixed(perMinute < 10 ? 1 : 0)} a minute</span>}
        {minutesLeft !== null && open > 0 && <span class="more"> · {duration(minutesLeft)} left</span>}
        {open > 0 && <span class="more"> · about {count(rightLeft)} still to find</span>}
      </p>
    </section>
  );
}
