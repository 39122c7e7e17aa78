import type { Calls } from "../calls.ts";
import type { Content, Entry } from "../model.ts";
import { session } from "../session.ts";
import { sessionCalls } from "../session-calls.ts";

/** The review in a page that was opened from disk: decisions stay in the browser until they are downloaded. */
export function diskCalls(content: Content): Calls {
  const kept = browserStore(`lacuna-review:${content.header.data}:${content.header.audit}`);
  const entries = [...kept.entries];
  let downloaded = entries.length === 0;
  const open = session({
    ...content,
    entries: kept.entries,
    passageOf: (item) => content.passages[content.passageOf[item - 1]!]!,
    async save(entry) {
      kept.add(entry);
      entries.push(entry);
      downloaded = false;
    },
    now: () => new Date().toISOString(),
  });
  addEventListener("beforeunload", (event) => {
    if (!downloaded) event.preventDefault();
  });
  return sessionCalls(open, async () => {
    const file = "decisions.jsonl";
    download(
      file,
      [content.header, ...entries].map((line) => `${JSON.stringify(line)}\n`),
    );
    downloaded = true;
    return { file };
  });
}

interface Store {
  readonly entries: readonly Entry[];
  add(entry: Entry): void;
}

/** Entries under a key each, so that a decision costs the same however many there are. */
function browserStore(name: string): Store {
  const keyOf = (sequence: number): string => `${name}:${sequence}`;
  const entries: Entry[] = [];
  for (;;) {
    const text = read(keyOf(entries.length + 1));
    if (text === null) break;
    entries.push(JSON.parse(text) as Entry);
  }
  return {
    entries,
    add(entry) {
      const key = keyOf(entry.sequence);
      if (read(key) !== null) throw new Error("another tab has decided in the meantime; reload this page");
      try {
        localStorage.setItem(key, JSON.stringify(entry));
      } catch {
        // Full, or not allowed: the download has it all the same, and the browser asks before it closes the page.
      }
    },
  };
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function download(name: string, lines: readonly string[]): void {
  const address = URL.createObjectURL(new Blob([...lines], { type: "application/jsonl" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
