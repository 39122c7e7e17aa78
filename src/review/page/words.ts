import type { Card, Summary } from "../calls.ts";
import type { Kind, Mark, Status, Verdict } from "../model.ts";

export const kindNames: Readonly<Record<Kind, string>> = {
  missing: "Missing",
  wrong: "Wrong",
  type: "Type",
  boundary: "Boundary",
};

export const statusNames: Readonly<Record<Status, string>> = {
  open: "Open",
  accept: "Accepted",
  reject: "Rejected",
  unsure: "Unsure",
};

/** More of a surface than a button can hold. */
const longest = 48;

export function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  const characters = [...line.slice(0, 2 * longest)];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : line;
}

/** The text of an annotation, as far as the passage holds it. */
export function surfaceOf({ passage }: Card, { start, end }: Mark): string {
  return passage.text.slice(Math.max(0, start - passage.offset), end - passage.offset);
}

export function isChanged(card: Card, draft: Mark): boolean {
  return draft.start !== card.start || draft.end !== card.end || draft.type !== card.type;
}

/** What accepting does, in the words of a button. */
export function acceptWords(card: Card, draft: Mark): string {
  if (isChanged(card, draft)) {
    const isMoved = draft.start !== card.start || draft.end !== card.end;
    return isMoved ? `Label “${short(surfaceOf(card, draft))}” ${draft.type}` : `Label it ${draft.type}`;
  }
  if (card.kind === "wrong") return `Yes, remove ${card.type}`;
  return card.kind === "boundary" ? "Yes, change it" : `Yes, ${card.type}`;
}

export function rejectWords({ kind, type, given }: Card): string {
  if (kind === "missing") return `No, not ${type}`;
  return kind === "boundary" ? "No, keep it" : `No, keep ${given?.type ?? type}`;
}

export function describeDone(verdict: Verdict, items: number): string {
  const name = verdict === "open" ? "Open again" : statusNames[verdict];
  return items === 1 ? `${name}.` : `${name} in ${count(items)} places.`;
}

export function describeUndone(way: "undo" | "redo", items: number): string {
  const name = way === "undo" ? "Taken back" : "Done again";
  return items === 1 ? `${name}.` : `${name} in ${count(items)} places.`;
}

/** A suspicion in a sentence, for screen readers. */
export function describeCard(card: Card | null, { open }: Summary): string {
  if (card === null) return open === 0 ? "Everything is decided." : "Nothing else is open here.";
  const surface = `“${short(card.text)}”`;
  const question = {
    missing: `Missing: ${surface}, ${card.type}?`,
    wrong: `Wrong: ${surface}, labelled ${card.type}?`,
    type: `Type: ${surface}, ${card.type} instead of ${card.given?.type}?`,
    boundary: `Boundary: ${card.type} over ${surface}?`,
  }[card.kind];
  return card.status === "open" ? question : `${question} ${statusNames[card.status]}.`;
}

export function count(number: number): string {
  return Math.round(number).toLocaleString("en");
}

/** A number where there is little room: `1,234`, `12K`. */
export function shortCount(number: number): string {
  return number < 10_000 ? count(number) : number.toLocaleString("en", { notation: "compact" });
}

/** `about 12 min`, `about 3 h` */
export function duration(minutes: number): string {
  if (minutes < 1) return "less than a minute";
  if (minutes < 90) return `about ${Math.round(minutes)} min`;
  return `about ${(minutes / 60).toFixed(minutes < 600 ? 1 : 0)} h`;
}
