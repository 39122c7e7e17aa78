/** What the command and its page both know. Nothing here needs Node or a browser. */

export const kinds = ["missing", "wrong", "type", "boundary"] as const;
export type Kind = (typeof kinds)[number];

/** An annotation, in UTF-16 offsets of the document's text. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly type: string;
}

/** A suspicion of the audit: `start`, `end` and `type` say what should stand there, `given` what does. */
export interface Item extends Mark {
  readonly kind: Kind;
  readonly score: number;
  readonly document: string | number;
  readonly text: string;
  readonly given: Mark | null;
  readonly reasons: readonly string[];
  readonly group: string;
}

export const verdicts = ["accept", "reject", "unsure", "open"] as const;
/** `accept`: the suspicion is right, perhaps with another type or span; `open`: whatever was decided before does not count. */
export type Verdict = (typeof verdicts)[number];

interface Signed {
  /** Counts the lines of the decisions file from 1. */
  readonly sequence: number;
  readonly time: string;
  /** The tab that it comes from: each takes back its own decisions only. */
  readonly client: string;
}

export interface Decision extends Signed {
  readonly verdict: Verdict;
  /** Numbers of suspicions, which count from 1 in the order of the audit. */
  readonly items: readonly number[];
  /** With `accept`, where the annotation is to be another than the suggested one. */
  readonly type?: string | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** Takes a decision back (`undo`) or lets it count again (`redo`), by its sequence number. */
export interface Reversal extends Signed {
  readonly undo?: number | undefined;
  readonly redo?: number | undefined;
}

/** One line of the decisions file after its first. */
export type Entry = Decision | Reversal;

/** The first line: what was reviewed. */
export interface Header {
  readonly review: 1;
  /** SHA-256 of the documents and of the audit file. */
  readonly data: string;
  readonly audit: string;
  readonly suspicions: number;
}

export const statuses = ["open", "accept", "reject", "unsure"] as const;
export type Status = (typeof statuses)[number];

export interface Filter {
  readonly kind?: Kind | undefined;
  readonly type?: string | undefined;
  readonly status?: Status | "decided" | undefined;
  readonly search?: string | undefined;
}

/** The sentence of a suspicion with some text around it. All offsets are those of the document. */
export interface Passage {
  /** Where the text begins in the document. */
  readonly offset: number;
  readonly text: string;
  /** Whether the document goes on before and after the text. */
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
  /** Starts and ends of the tokens, alternating, among which an annotation may be chosen: those of the sentence. */
  readonly tokens: readonly number[];
  readonly entities: readonly Mark[];
}

/** All that a page which is opened from disk knows. */
export interface Content {
  readonly header: Header;
  readonly data: string;
  readonly audit: string;
  readonly types: readonly string[];
  readonly items: readonly Item[];
  /** Each text once, though several suspicions may be in it. */
  readonly passages: readonly Passage[];
  /** The place among the passages for each item. */
  readonly passageOf: readonly number[];
}
