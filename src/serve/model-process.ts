/** A process that has one model open and tags what the server sends. */
import { InputError, messageOf } from "../util/errors.ts";
import { localTagger } from "./local-tagger.ts";
import type { Order, Reply } from "./messages.ts";
import type { Tagger } from "./tagger.ts";

// A terminal or a supervisor tells all processes of a group; what they mean is decided by the server.
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => {});
// Without the server nobody hears the answers: with nothing left to do, the process ends by itself.
process.on("disconnect", () => {
  for (const job of jobs.values()) job.abort();
  void tagger?.close();
});

const reply = (message: Reply): void => {
  if (process.connected) process.send!(message);
};

let tagger: Tagger | undefined;
const jobs = new Map<number, AbortController>();

process.on("message", (order: Order) => {
  if (order.kind === "open") open(order);
  else if (order.kind === "tag") tag(order);
  else if (order.kind === "give-up") jobs.get(order.id)?.abort();
  else close();
});

function open({ options }: Extract<Order, { kind: "open" }>): void {
  localTagger(options, (batch) => reply({ kind: "batch", batch })).then(
    (opened) => {
      tagger = opened;
      reply({ kind: "ready", types: opened.types });
    },
    (error: unknown) => {
      reply({ kind: "refused", reason: messageOf(error), isInput: error instanceof InputError });
    },
  );
}

function tag({ id, job }: Extract<Order, { kind: "tag" }>): void {
  const controller = new AbortController();
  jobs.set(id, controller);
  tagger!
    .tag(job, controller.signal)
    .then(
      (tagged) => reply({ kind: "tagged", id, tagged }),
      () => reply({ kind: "failed", id }),
    )
    .finally(() => jobs.delete(id));
}

function close(): void {
  const closed = tagger?.close() ?? Promise.resolve();
  closed.finally(() => {
    if (process.connected) process.disconnect();
  });
}
