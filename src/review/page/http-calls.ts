import type { Calls } from "../calls.ts";

/** Asks the command, which serves the page: `call/NAME` beside it. */
export function httpCalls(): Calls {
  const call =
    (name: keyof Calls) =>
    async (request: unknown): Promise<never> => {
      const response = await fetch(`call/${name}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(request),
      }).catch(() => {
        throw new Unreachable();
      });
      const answer = await response.json().catch(() => undefined);
      if (!response.ok) throw new Error(answer?.error ?? `the command answered ${response.status}`);
      return answer as never;
    };
  return {
    start: call("start"),
    queue: call("queue"),
    card: call("card"),
    step: call("step"),
    summary: call("summary"),
    decide: call("decide"),
    undo: call("undo"),
    redo: call("redo"),
    write: call("write"),
  };
}

/** Nobody answers: the command was ended, or the machine slept. */
export class Unreachable extends Error {
  constructor() {
    super("the command does not answer; is it still running?");
  }
}
