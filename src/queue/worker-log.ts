/** Where a worker tells what happens to it. */
export type WorkerLog = (
  level: "info" | "warn" | "error",
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;
