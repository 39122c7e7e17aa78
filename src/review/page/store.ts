import type { Calls, Card, Reversed, Start, Summary } from "../calls.ts";
import type { Filter, Mark, Verdict } from "../model.ts";
import { describeCard, describeDone, describeUndone } from "./words.ts";

/** All that the page shows. */
export interface State {
  readonly start: Start;
  readonly summary: Summary;
  /** The suspicion in question; null when nothing passes the filter, or nothing is left. */
  readonly card: Card | null;
  /** The annotation that would be accepted: the suggestion, or what was made of it. */
  readonly draft: Mark | undefined;
  readonly filter: Filter;
  /** What stands in the search field; the filter follows when typing pauses. */
  readonly search: string;
  /** Rises when the list may have changed. */
  readonly listVersion: number;
  /** What happened last, also for screen readers. */
  readonly message: string;
  /** Tells one message from the next of the same words. */
  readonly messageNumber: number;
  /** Why decisions cannot be kept at the moment. */
  readonly trouble: string | undefined;
  readonly finished: string | undefined;
}

/** The state of the page and what changes it. Actions follow one another, however fast the keys are pressed. */
export interface Store {
  readonly calls: Calls;
  get(): State;
  subscribe(listener: () => void): () => void;
  decide(verdict: Verdict, group?: boolean): void;
  undo(): void;
  redo(): void;
  move(direction: 1 | -1, openOnly?: boolean): void;
  goTo(item: number): void;
  change(draft: Partial<Mark>): void;
  reset(): void;
  filter(change: Partial<Filter>): void;
  search(text: string): void;
  write(finish: boolean): void;
  /** Looks whether another tab has decided something. */
  refresh(): void;
}

/** Milliseconds after the last key before a search begins. */
const patience = 150;

export function createStore(calls: Calls, client: string, start: Start): Store {
  let state: State = {
    start,
    summary: start.summary,
    ...shown(start.card),
    filter: {},
    search: "",
    listVersion: 0,
    message: "",
    messageNumber: 0,
    trouble: undefined,
    finished: undefined,
  };
  const listeners = new Set<() => void>();
  const set = (change: Partial<State>): void => {
    const messageNumber = state.messageNumber + (change.message === undefined ? 0 : 1);
    state = { ...state, ...change, messageNumber };
    for (const listener of listeners) listener();
  };
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): void => {
    last = last.then(work).then(
      () => {
        if (state.trouble !== undefined) set({ trouble: undefined });
      },
      (error: Error) => {
        if (state.finished === undefined) set({ trouble: error.message });
      },
    );
  };
  const listed = (): Pick<State, "listVersion"> => ({ listVersion: state.listVersion + 1 });

  const decide = async (verdict: Verdict, group: boolean): Promise<void> => {
    const { card, draft, filter } = state;
    if (card === null || draft === undefined) return;
    const { start, end, type } = draft;
    const changed = verdict === "accept" ? { type, ...(group ? {} : { start, end }) } : {};
    const isMoved = start !== card.start || end !== card.end;
    if (group && verdict === "accept" && isMoved)
      return set({ message: "A span is changed in one place at a time. Accept this one alone." });
    const { item, version } = card;
    const answer = await calls.decide({ client, item, version, verdict, ...changed, group, filter });
    const { summary } = answer;
    if (answer.outcome === "conflict") {
      const message = "Another tab has decided this one in the meantime. Have a look.";
      return set({ ...shown(answer.card), summary, message, ...listed() });
    }
    const next = verdict === "open" ? await calls.card({ item, filter }) : answer.next;
    const done = describeDone(verdict, answer.items);
    set({ ...shown(next), summary, message: `${done} ${describeCard(next, summary)}`, ...listed() });
  };

  const reverse = async (way: "undo" | "redo"): Promise<void> => {
    const { card, items, summary }: Reversed = await calls[way]({ client, filter: state.filter });
    if (card === null) return set({ summary, message: `There is nothing to ${way}.` });
    set({
      ...shown(card),
      summary,
      message: `${describeUndone(way, items)} ${describeCard(card, summary)}`,
      ...listed(),
    });
  };

  let searchTimer: ReturnType<typeof setTimeout> | undefined;
  const narrow = async (change: Partial<Filter>): Promise<void> => {
    const filter = withoutEmpty({ ...state.filter, ...change });
    set({ filter, ...listed() });
    const { card } = state;
    const current = card === null ? null : await calls.card({ item: card.item, filter });
    if (current !== null && current.position !== null) return set({ card: current });
    const from = { item: 0, filter, direction: 1 } as const;
    const first = (await calls.step({ ...from, openOnly: true })) ?? (await calls.step({ ...from, openOnly: false }));
    set({ ...shown(first), message: describeCard(first, state.summary) });
  };

  const show = async (card: Card | null, none: string): Promise<void> => {
    set(card === null ? { message: none } : { ...shown(card), message: describeCard(card, state.summary) });
  };

  return {
    calls,
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    decide: (verdict, group = false) => inTurn(() => decide(verdict, group)),
    undo: () => inTurn(() => reverse("undo")),
    redo: () => inTurn(() => reverse("redo")),
    move: (direction, openOnly = false) =>
      inTurn(async () => {
        const from = state.card?.item ?? 0;
        const card = await calls.step({ item: from, filter: state.filter, direction, openOnly });
        await show(card, direction > 0 ? "This is the last one." : "This is the first one.");
      }),
    goTo: (item) => inTurn(async () => show(await calls.card({ item, filter: state.filter }), "")),
    change(draft) {
      if (state.draft !== undefined) set({ draft: { ...state.draft, ...draft } });
    },
    reset: () => set({ draft: state.card === null ? undefined : suggestionOf(state.card) }),
    filter(change) {
      if ("search" in change) {
        clearTimeout(searchTimer);
        set({ search: change.search ?? "" });
      }
      inTurn(() => narrow(change));
    },
    search(text) {
      // At once: answers that arrive while somebody types must not put an older text into the field.
      set({ search: text });
      clearTimeout(searchTimer);
      searchTimer = setTimeout(() => inTurn(() => narrow({ search: text })), patience);
    },
    write: (finish) =>
      inTurn(async () => {
        const { file } = await calls.write({ finish });
        set(finish ? { finished: file, message: "Finished." } : { message: `Written: ${file}` });
      }),
    refresh: () =>
      inTurn(async () => {
        if (state.finished !== undefined) return;
        const summary = await calls.summary({ client });
        if (summary.sequence === state.summary.sequence) return;
        set({ summary, ...listed() });
        const { card, filter } = state;
        if (card === null) return;
        const current = await calls.card({ item: card.item, filter });
        if (current.version === card.version) return set({ card: current });
        set({ ...shown(current), message: "Another tab has decided this one." });
      }),
  };
}

function shown(card: Card | null): Pick<State, "card" | "draft"> {
  if (card === null) return { card, draft: undefined };
  const { start, end, type } = card.decision ?? {};
  const suggestion = suggestionOf(card);
  return {
    card,
    draft: { start: start ?? suggestion.start, end: end ?? suggestion.end, type: type ?? suggestion.type },
  };
}

function suggestionOf({ start, end, type }: Mark): Mark {
  return { start, end, type };
}

function withoutEmpty(filter: Filter): Filter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== ""));
}
