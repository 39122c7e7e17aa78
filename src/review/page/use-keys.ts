import { useEffect, useState } from "preact/hooks";
import { moved } from "./boundaries.ts";
import { type ActionName, meaningOf } from "./keys.ts";
import type { Store } from "./store.ts";

const setting = "lacuna-review-keys";

interface Page {
  readonly help: () => void;
  readonly isHelpOpen: boolean;
}

/** Lets keys act. In a field they are typed, and on a button Enter and the space bar press it. */
export function useKeys(store: Store, page: Page): { readonly hasKeys: boolean; setKeys(on: boolean): void } {
  const [hasKeys, setHasKeys] = useState(readSetting);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.isComposing || isTyped(event)) return;
      const meaning = meaningOf(event);
      const isHeld = event.ctrlKey || event.metaKey;
      if (meaning === undefined || (!hasKeys && !isHeld && meaning !== "help")) return;
      if (page.isHelpOpen && meaning !== "help") return;
      event.preventDefault();
      if (typeof meaning === "number") chooseType(store, meaning);
      else if (meaning === "help") page.help();
      else actions[meaning](store);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [store, hasKeys, page.help, page.isHelpOpen]);
  return {
    hasKeys,
    setKeys(on) {
      setHasKeys(on);
      writeSetting(on);
    },
  };
}

const actions: Readonly<Record<Exclude<ActionName, "help">, (store: Store) => void>> = {
  accept: (store) => store.decide("accept"),
  reject: (store) => store.decide("reject"),
  unsure: (store) => store.decide("unsure"),
  acceptAll: (store) => store.decide("accept", true),
  rejectAll: (store) => store.decide("reject", true),
  unsureAll: (store) => store.decide("unsure", true),
  reopen: (store) => store.decide("open"),
  endForward: (store) => shift(store, "end", 1),
  endBack: (store) => shift(store, "end", -1),
  startForward: (store) => shift(store, "start", 1),
  startBack: (store) => shift(store, "start", -1),
  reset: (store) => store.reset(),
  types: () => focus("#all-types"),
  next: (store) => store.move(1),
  previous: (store) => store.move(-1),
  skip: (store) => store.move(1, true),
  undo: (store) => store.undo(),
  redo: (store) => store.redo(),
  search: () => focus("#search"),
  write: (store) => store.write(false),
};

function chooseType(store: Store, number: number): void {
  const type = store.get().start.types[number - 1];
  if (type !== undefined) store.change({ type });
}

/** The arrow that points to the end of the text goes on, also where that is on the left. */
function shift(store: Store, side: "start" | "end", by: 1 | -1): void {
  const { card, draft } = store.get();
  if (card === null || draft === undefined) return;
  const passage = document.querySelector(".passage");
  const isRightToLeft = passage !== null && getComputedStyle(passage).direction === "rtl";
  store.change(moved(card.passage.tokens, draft, side, isRightToLeft ? (-by as 1 | -1) : by));
}

function focus(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}

function isTyped(event: KeyboardEvent): boolean {
  const { target, key } = event;
  if (!(target instanceof HTMLElement)) return false;
  const isField = target.matches("input:not([type=checkbox]), select, textarea");
  if (isField && key === "Escape") target.blur();
  return isField || ((key === "Enter" || key === " ") && target.matches("button, input, a"));
}

function readSetting(): boolean {
  try {
    return localStorage.getItem(setting) !== "off";
  } catch {
    return true;
  }
}

function writeSetting(on: boolean): void {
  try {
    localStorage.setItem(setting, on ? "on" : "off");
  } catch {
    // Not remembered, then.
  }
}
