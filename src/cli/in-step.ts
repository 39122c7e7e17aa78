type Consumer<T, R> = (items: AsyncIterable<T>) => Promise<R>;

/**
 * Runs several consumers over one source that can be read once, holding one item at a time: an item is fetched when
 * all of them have asked for it. When one fails, the others fail with its error instead of reaching the end, so
 * that of several files written in step none is put in place unless all of them could be written.
 */
export async function inStep<T, R>(items: AsyncIterable<T>, consumers: readonly Consumer<T, R>[]): Promise<R[]> {
  const iterator = items[Symbol.asyncIterator]();
  let active = consumers.length;
  let waiting: Asker<IteratorResult<T>>[] = [];
  let failure: { readonly reason: unknown } | undefined;

  const fail = (reason: unknown): void => {
    failure ??= { reason };
    for (const { reject } of waiting) reject(failure.reason);
    waiting = [];
  };
  const fetchWhenAllAsk = (): void => {
    if (active === 0 || waiting.length < active) return;
    const askers = waiting;
    waiting = [];
    iterator.next().then(
      (result) => {
        for (const { resolve } of askers) resolve(result);
      },
      (reason) => {
        for (const { reject } of askers) reject(reason);
        fail(reason);
      },
    );
  };
  const next = (): Promise<IteratorResult<T>> =>
    new Promise((resolve, reject) => {
      if (failure !== undefined) return reject(failure.reason);
      waiting.push({ resolve, reject });
      fetchWhenAllAsk();
    });
  const consume = async (consumer: Consumer<T, R>): Promise<R> => {
    try {
      return await consumer({ [Symbol.asyncIterator]: () => ({ next }) });
    } catch (error) {
      fail(error);
      throw error;
    } finally {
      active--;
      fetchWhenAllAsk();
    }
  };

  const outcomes = await Promise.allSettled(consumers.map(consume));
  await iterator.return?.();
  return outcomes.map((outcome) => {
    if (outcome.status === "fulfilled") return outcome.value;
    throw failure?.reason ?? outcome.reason;
  });
}

/** A consumer that waits for an item. */
interface Asker<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}
