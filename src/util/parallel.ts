/** Works on items, so many at a time; the first error stops what has not begun and is thrown when all that has is over. */
export async function inParallel<T>(
  items: readonly T[],
  jobs: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const errors: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined && errors.length === 0; item = waiting.shift()) {
      await work(item).catch((error) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, worker));
  if (errors.length > 0) throw errors[0];
}
