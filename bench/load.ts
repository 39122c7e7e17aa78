import { Agent, request } from "node:http";
import { inParallel } from "../src/util/parallel.ts";

export const clients = 64;

/** Clients of a server that takes `{"inputs": TEXT}` at `/tag`, over connections that they keep. */
export interface Load {
  /** The answer to one text. */
  ask(text: string): Promise<unknown>;
  /** All texts, by 64 clients at a time. */
  full(texts: readonly string[]): Promise<void>;
  /**
   * Texts that come at fixed times, so many seconds apart, whether or not those before are answered; the milliseconds that
   * each took.
   */
  paced(texts: readonly string[], interval: number): Promise<number[]>;
  end(): void;
}

export function load(port: number): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const ask = (text: string): Promise<unknown> => post(port, agent, text);
  return {
    ask,
    full: (texts) =>
      inParallel(texts, clients, async (text) => {
        await ask(text);
      }),
    paced(texts, interval) {
      const start = performance.now();
      return Promise.all(
        texts.map(async (text, i) => {
          const due = start + 1000 * i * interval;
          await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
          await ask(text);
          // From when it should have been sent: a client that is late itself does not make the server look quicker.
          return performance.now() - due;
        }),
      );
    },
    end: () => agent.destroy(),
  };
}

function post(port: number, agent: Agent, text: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { "Content-Type": "application/json" };
    const asked = request({ host: "127.0.0.1", port, agent, path: "/tag", method: "POST", headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => {
        if (response.statusCode === 200) resolve(JSON.parse(Buffer.concat(chunks).toString("utf8")));
        else reject(new Error(`status ${response.statusCode}`));
      });
    });
    asked.on("error", reject);
    asked.end(JSON.stringify({ inputs: text }));
  });
}

export function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))]!;
}
