import type { WorkerTally } from "./tally.ts";

/** The figures of a worker for Prometheus. */
export function metricsText(
  name: string,
  { jobs, documents, busy, seconds, peak }: WorkerTally,
  queue: Readonly<Record<string, number>>,
): string {
  const worker = `worker="${name.replaceAll(/[\\"\n]/g, "_")}"`;
  const metric = (
    metricName: string,
    type: string,
    help: string,
    values: readonly (readonly [string, number])[],
  ): string[] => [
    `# HELP ${metricName} ${help}`,
    `# TYPE ${metricName} ${type}`,
    ...values.map(([labels, value]) => `${metricName}{${labels}} ${value}`),
  ];
  return [
    ...metric(
      "lacuna_worker_jobs_total",
      "counter",
      "Jobs, by kind and how they ended.",
      jobs.map(({ kind, ending, count }) => [`${worker},kind="${kind}",ending="${ending}"`, count]),
    ),
    ...metric("lacuna_worker_documents_total", "counter", "Documents that went through.", [[worker, documents]]),
    ...metric("lacuna_worker_job_seconds_total", "counter", "Time that jobs took.", [[worker, seconds]]),
    ...metric("lacuna_worker_busy", "gauge", "Jobs at hand.", [[worker, busy]]),
    ...metric("lacuna_worker_peak_bytes", "gauge", "Most memory that the process of a job took.", [[worker, peak]]),
    ...metric(
      "lacuna_queue_jobs",
      "gauge",
      "Jobs on the queue, by state.",
      Object.entries(queue).map(([state, count]) => [`state="${state}"`, count]),
    ),
    "",
  ].join("\n");
}
