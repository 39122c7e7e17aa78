import type { Calls } from "./calls.ts";
import type { Session } from "./session.ts";

/** A session as what the page can ask for; how the outcome is handed over is the caller's. */
export function sessionCalls(open: Session, write: Calls["write"]): Calls {
  return {
    start: async ({ client }) => open.start(client),
    queue: async ({ filter, from, count }) => open.queue(filter, from, count),
    card: async ({ item, filter }) => open.card(item, filter),
    step: async ({ item, filter, direction, openOnly }) => open.step(item, filter, direction, openOnly),
    summary: async ({ client }) => open.summary(client),
    decide: open.decide,
    undo: ({ client, filter }) => open.undo(client, filter),
    redo: ({ client, filter }) => open.redo(client, filter),
    write,
  };
}
