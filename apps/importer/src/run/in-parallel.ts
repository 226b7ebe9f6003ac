/**
 * Calls `work` for each item, at most `limit` at a time, and asks for an item only when there is room for it: a
 * source of any length takes constant memory. After the first failure no further item is begun; those under way
 * are awaited, and the failure is thrown.
 */
export async function inParallel<T>(
  items: Iterable<T> | AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
  stop?: AbortSignal,
): Promise<void> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const failures: unknown[] = [];

  const lane = async (): Promise<void> => {
    try {
      while (failures.length === 0 && stop?.aborted !== true) {
        const next = await source.next();
        if (next.done === true) return;
        await work(next.value);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: limit }, lane));
  await source.return?.();
  if (failures.length > 0) throw failures[0];
}
