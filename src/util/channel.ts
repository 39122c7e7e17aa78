/** What callbacks tell, as something to iterate over: everything that was put in, in order, until the work is over. */
export async function* toldBy<T, R>(work: (tell: (value: T) => void) => Promise<R>): AsyncGenerator<T, R> {
  const waiting: T[] = [];
  let wake: () => void = () => {};
  let isOver = false;
  const result = work((value) => {
    waiting.push(value);
    wake();
  }).finally(() => {
    isOver = true;
    wake();
  });
  // Whoever stops listening early still waits for the work below; its failure is told there.
  result.catch(() => {});
  try {
    while (!isOver || waiting.length > 0) {
      if (waiting.length > 0) yield waiting.shift()!;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    await result.catch(() => {});
  }
  return result;
}
