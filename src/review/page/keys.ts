/** What a key does; the names are those of the table in `actions.ts`. */
export type ActionName =
  | "accept"
  | "reject"
  | "unsure"
  | "acceptAll"
  | "rejectAll"
  | "unsureAll"
  | "reopen"
  | "endForward"
  | "endBack"
  | "startForward"
  | "startBack"
  | "reset"
  | "types"
  | "next"
  | "previous"
  | "skip"
  | "undo"
  | "redo"
  | "search"
  | "write"
  | "help";

export interface KeyRow {
  readonly action: ActionName;
  /** As `KeyboardEvent.key`; letters in lower case, with `Shift+` and `Ctrl+` before where they are held. */
  readonly keys: readonly string[];
  readonly text: string;
}

/** Every key, in the order of the help. The number keys, which choose a type, stand apart. */
export const keyTable: readonly { readonly title: string; readonly rows: readonly KeyRow[] }[] = [
  {
    title: "Decide",
    rows: [
      { action: "accept", keys: ["a", "Enter"], text: "Accept: the suspicion is right" },
      { action: "reject", keys: ["r", "x"], text: "Reject: the data are right" },
      { action: "unsure", keys: ["u"], text: "Unsure: leave it out of training" },
      { action: "acceptAll", keys: ["Shift+a"], text: "Accept in all open places of this surface" },
      { action: "rejectAll", keys: ["Shift+r"], text: "Reject in all of them" },
      { action: "unsureAll", keys: ["Shift+u"], text: "Unsure in all of them" },
      { action: "reopen", keys: ["o"], text: "Open again: as if nothing was decided" },
      { action: "undo", keys: ["z", "Ctrl+z"], text: "Undo" },
      { action: "redo", keys: ["y", "Shift+z", "Ctrl+y", "Ctrl+Shift+z"], text: "Redo" },
    ],
  },
  {
    title: "Change before you accept",
    rows: [
      { action: "endForward", keys: ["ArrowRight"], text: "End one token on" },
      { action: "endBack", keys: ["ArrowLeft"], text: "End one token back" },
      { action: "startForward", keys: ["Shift+ArrowRight"], text: "Start one token on" },
      { action: "startBack", keys: ["Shift+ArrowLeft"], text: "Start one token back" },
      { action: "types", keys: ["t"], text: "Choose among all types" },
      { action: "reset", keys: ["Escape"], text: "Back to the suggestion" },
    ],
  },
  {
    title: "Move",
    rows: [
      { action: "next", keys: ["n", "j", "ArrowDown"], text: "Next" },
      { action: "previous", keys: ["p", "k", "ArrowUp"], text: "Previous" },
      { action: "skip", keys: ["s"], text: "Next that is open" },
      { action: "search", keys: ["/"], text: "Search" },
      { action: "write", keys: ["w", "Ctrl+s"], text: "Write the reviewed file now" },
      { action: "help", keys: ["?", "h"], text: "This help" },
    ],
  },
];

const byKey = new Map(
  keyTable.flatMap(({ rows }) => rows.flatMap(({ action, keys }) => keys.map((key) => [key, action] as const))),
);

/** What a pressed key means: an action, the number of a type, or nothing. */
export function meaningOf(event: KeyboardEvent): ActionName | number | undefined {
  if (event.altKey) return undefined;
  const key = plainKey(event);
  const isHeld = event.ctrlKey || event.metaKey;
  if (!isHeld && /^[1-9]$/.test(key)) return Number(key);
  // The question mark needs the shift key on some keyboards and not on others.
  const shift = event.shiftKey && key !== "?" && key !== "/" ? "Shift+" : "";
  return byKey.get(`${isHeld ? "Ctrl+" : ""}${shift}${key}`);
}

/** The letter in lower case; on a keyboard of another script, the letter that is printed there on a Latin one. */
function plainKey({ key, code }: KeyboardEvent): string {
  if (key.length !== 1) return key;
  const latin = /^Key([A-Z])$/.exec(code);
  const letter = /[^\0-\x7f]/.test(key) && latin !== null ? latin[1]! : key;
  return letter.toLowerCase();
}

const shownKeys: Readonly<Record<string, string>> = {
  ArrowRight: "→",
  ArrowLeft: "←",
  ArrowDown: "↓",
  ArrowUp: "↑",
  Escape: "Esc",
};

/** A key as it stands on a keyboard: `Shift A`, `Ctrl Z`, `→`. */
export function shownKey(key: string): string {
  return key
    .split("+")
    .map((part) => shownKeys[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join(" ");
}
