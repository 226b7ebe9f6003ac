import { isItemLevelError } from './item-level-error';

/**
 * Runs a batch, and item by item again if the batch fails because of one of its items. So each item has its own
 * outcome, and what one item does wrong costs the others nothing but time. `run` has to be safe to repeat: what has
 * failed has written nothing.
 *
 * If the database is unavailable, nothing is repeated: the items that have no outcome yet fail with this error.
 *
 * @param run performs items together and returns their results in their order
 * @returns the outcome of each item, in the order of `items`; never fails
 */
export async function runBatch<Item, Result>(
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<PromiseSettledResult<Result>[]> {
  if (items.length === 0) return [];
  try {
    const results = await run(items);
    return results.map((value) => ({ status: 'fulfilled', value }));
  } catch (reason) {
    if (items.length === 1 || !isItemLevelError(reason))
      return items.map(() => ({ status: 'rejected', reason }));
  }
  const outcomes: PromiseSettledResult<Result>[] = [];
  // One after another: two items that conflict with each other would do so again.
  for (const [index, item] of items.entries()) {
    const [outcome] = (await runBatch([item], run)) as [PromiseSettledResult<Result>];
    if (outcome.status === 'rejected' && !isItemLevelError(outcome.reason))
      return [...outcomes, ...items.slice(index).map(() => outcome)];
    outcomes.push(outcome);
  }
  return outcomes;
}
