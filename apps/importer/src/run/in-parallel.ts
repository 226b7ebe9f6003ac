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
  const over = (): boolean => failures.length > 0 || stop?.aborted === true;

  const lane = async (): Promise<void> => {
    try {
      while (!over()) {
        const next = await source.next();
        // Over while the source was being read: the item has not been begun.
        if (next.done === true || over()) return;
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
