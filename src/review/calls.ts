import type { Filter, Item, Passage, Status, Verdict } from "./model.ts";
import type { QueuePage } from "./queue.ts";

/** All that the page shows of one suspicion. */
export interface Card extends Omit<Item, "group"> {
  readonly item: number;
  readonly status: Status;
  /** What the standing decision put in place of the suggestion; null without a decision. */
  readonly decision: {
    readonly type?: string | undefined;
    readonly start?: number | undefined;
    readonly end?: number | undefined;
  } | null;
  /** Goes with a decision, so that it does not replace one that the page has not seen. */
  readonly version: number;
  /** Where it stands in the filtered queue. */
  readonly position: number | null;
  /** Suspicions that can be decided with it at once, itself included. */
  readonly group: { readonly size: number; readonly open: number };
  readonly passage: Passage;
}

export interface Summary {
  readonly total: number;
  readonly open: number;
  readonly accept: number;
  readonly reject: number;
  readonly unsure: number;
  /** Of the last entry, whichever tab it came from. */
  readonly sequence: number;
  readonly perMinute: number | null;
  readonly minutesLeft: number | null;
  /** How many of the open suspicions are right, as far as can be told. */
  readonly rightLeft: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

export interface Start {
  readonly data: string;
  readonly audit: string;
  readonly types: readonly string[];
  /** How many suspicions there are of each kind and of each type. */
  readonly kinds: Readonly<Record<string, number>>;
  readonly typeCounts: Readonly<Record<string, number>>;
  readonly summary: Summary;
  /** The first that is open; null when there is none at all. */
  readonly card: Card | null;
}

export interface DecideRequest {
  readonly client: string;
  readonly item: number;
  readonly version: number;
  readonly verdict: Verdict;
  readonly type?: string | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  /** The same for all open suspicions of the group. */
  readonly group?: boolean | undefined;
  readonly filter: Filter;
}

export type Decided =
  | {
      readonly outcome: "saved";
      /** How many suspicions it settled. */
      readonly items: number;
      /** The next open one; null when none is left. */
      readonly next: Card | null;
      readonly summary: Summary;
    }
  | { readonly outcome: "conflict"; readonly card: Card; readonly summary: Summary };

export interface Reversed {
  /** The suspicion of the decision that was taken back or redone; null when there was none. */
  readonly card: Card | null;
  readonly items: number;
  readonly summary: Summary;
}

/** What the page can ask for: by HTTP from the command, or in a page that was opened from disk from itself. */
export interface Calls {
  start(request: { readonly client: string }): Promise<Start>;
  queue(request: { readonly filter: Filter; readonly from: number; readonly count: number }): Promise<QueuePage>;
  card(request: { readonly item: number; readonly filter: Filter }): Promise<Card>;
  step(request: {
    readonly item: number;
    readonly filter: Filter;
    readonly direction: 1 | -1;
    readonly openOnly: boolean;
  }): Promise<Card | null>;
  summary(request: { readonly client: string }): Promise<Summary>;
  decide(request: DecideRequest): Promise<Decided>;
  undo(request: { readonly client: string; readonly filter: Filter }): Promise<Reversed>;
  redo(request: { readonly client: string; readonly filter: Filter }): Promise<Reversed>;
  /** Writes the reviewed file, or hands out the decisions; `finish` also ends the command. */
  write(request: { readonly finish: boolean }): Promise<{ readonly file: string }>;
}
