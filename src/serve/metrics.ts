import { type Histogram, histogram } from "./histogram.ts";
import type { BatchRecord } from "./tagger.ts";

/** What the server counts, and its text for Prometheus. */
export interface Metrics {
  request(route: string, status: number, seconds: number): void;
  /** A request that was turned away: `queue`, `memory`, `time`, `model`. */
  refused(reason: string): void;
  texts(model: string, texts: number, characters: number): void;
  reload(model: string, worked: boolean): void;
  /** Where the workers of a model tell of their batches. */
  batchOf(model: string): (batch: BatchRecord) => void;
  text(): string;
}

/** What can only be asked for at the moment. */
export interface Gauges {
  readonly queuedTexts: () => number;
  readonly queuedBytes: () => number;
  readonly connections: () => number;
  readonly workers: () => Iterable<readonly [model: string, ready: number]>;
}

const latencies = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const batchTexts = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const batchTokens = [16, 64, 256, 512, 1024, 2048, 4096, 8192];

export function serverMetrics(gauges: Gauges): Metrics {
  const counters = new Map<string, Map<string, number>>();
  const histograms = new Map<string, Map<string, Histogram>>();
  const count = (name: string, labels: string, by = 1): void => {
    const found = group(counters, name);
    found.set(labels, (found.get(labels) ?? 0) + by);
  };
  const observe = (name: string, labels: string, bounds: readonly number[], value: number): void => {
    const found = group(histograms, name);
    if (!found.has(labels)) found.set(labels, histogram(bounds));
    found.get(labels)!.observe(value);
  };
  return {
    request(route, status, seconds) {
      count("lacuna_requests_total", labelsOf({ route, status: String(status) }));
      observe("lacuna_request_seconds", labelsOf({ route }), latencies, seconds);
      if (status >= 400) count("lacuna_errors_total", labelsOf({ status: String(status) }));
    },
    refused: (reason) => count("lacuna_refused_total", labelsOf({ reason })),
    texts(model, texts, characters) {
      count("lacuna_texts_total", labelsOf({ model }), texts);
      count("lacuna_characters_total", labelsOf({ model }), characters);
    },
    reload: (model, worked) => count("lacuna_reloads_total", labelsOf({ model, result: worked ? "done" : "failed" })),
    batchOf: (model) => {
      const labels = labelsOf({ model });
      return ({ texts, tokens, seconds }) => {
        count("lacuna_tokens_total", labels, tokens);
        observe("lacuna_batch_texts", labels, batchTexts, texts);
        observe("lacuna_batch_tokens", labels, batchTokens, tokens);
        observe("lacuna_batch_seconds", labels, latencies, seconds);
      };
    },
    text() {
      const now = new Map<string, Map<string, number>>([
        ["lacuna_queue_texts", new Map([["", gauges.queuedTexts()]])],
        ["lacuna_queue_bytes", new Map([["", gauges.queuedBytes()]])],
        ["lacuna_connections", new Map([["", gauges.connections()]])],
        ["lacuna_workers", new Map([...gauges.workers()].map(([model, ready]) => [labelsOf({ model }), ready]))],
        ["process_resident_memory_bytes", new Map([["", process.memoryUsage.rss()]])],
      ]);
      return [
        ...[...counters].flatMap(([name, values]) => [...head(name, "counter"), ...plain(name, values)]),
        ...[...histograms].flatMap(([name, values]) => [
          ...head(name, "histogram"),
          ...[...values].flatMap(([labels, each]) => each.lines(name, labels)),
        ]),
        ...[...now].flatMap(([name, values]) => [...head(name, "gauge"), ...plain(name, values)]),
        "",
      ].join("\n");
    },
  };
}

const help: Readonly<Record<string, string>> = {
  lacuna_requests_total: "Requests answered, by route and status.",
  lacuna_errors_total: "Requests answered with a status of 400 or more.",
  lacuna_refused_total: "Requests turned away, by reason.",
  lacuna_request_seconds: "Time from the head of a request to its answer.",
  lacuna_texts_total: "Texts tagged.",
  lacuna_characters_total: "UTF-16 code units of the texts tagged.",
  lacuna_tokens_total: "Tokens that went through the model.",
  lacuna_reloads_total: "Reloads of a model, by result.",
  lacuna_batch_texts: "Texts that went through the model together.",
  lacuna_batch_tokens: "Tokens that went through the model together.",
  lacuna_batch_seconds: "Time that a batch took.",
  lacuna_queue_texts: "Texts taken and not answered.",
  lacuna_queue_bytes: "Bytes of bodies taken and not answered.",
  lacuna_connections: "Open connections.",
  lacuna_workers: "Workers that have the model open.",
  process_resident_memory_bytes: "Memory of the server's own process.",
};

function head(name: string, type: string): string[] {
  return [`# HELP ${name} ${help[name]}`, `# TYPE ${name} ${type}`];
}

function plain(name: string, values: ReadonlyMap<string, number>): string[] {
  return [...values].map(([labels, value]) => `${name}${labels === "" ? "" : `{${labels}}`} ${value}`);
}

function group<V>(groups: Map<string, Map<string, V>>, name: string): Map<string, V> {
  const found = groups.get(name) ?? new Map<string, V>();
  groups.set(name, found);
  return found;
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replaceAll(/[\\"\n]/g, (c) => (c === "\n" ? "\\n" : `\\${c}`))}"`)
    .join(",");
}
