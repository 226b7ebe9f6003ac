/**
 * Calls `work` for each item with at most `limit` concurrent calls. Reads an item only when a call can start, so that
 * a source of any length takes constant memory. After the first failure, no further call starts; the calls in progress
 * are awaited, and then the failure is thrown. Aborting `stop` ends the iteration without an error.
 */
export async function forEachConcurrently<T>(
  items: Iterable<T> | AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
  stop?: AbortSignal,
): Promise<void> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const failures: unknown[] = [];
  const isFinished = (): boolean => failures.length > 0 || stop?.aborted === true;

  const worker = async (): Promise<void> => {
    try {
      while (!isFinished()) {
        const next = await source.next();
        // If the iteration ended while the source was being read, the item is not started.
        if (next.done === true || isFinished()) return;
        await work(next.value);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  await source.return?.();
  if (failures.length > 0) throw failures[0];
}
