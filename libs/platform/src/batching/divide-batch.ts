/**
 * Divides a batch into parts, in its order, whose items weigh at most `maxWeight` together. A heavier item is a part of
 * its own.
 */
export function divideBatch<Item>(
  items: readonly Item[],
  weightOf: (item: Item) => number,
  maxWeight: number,
): Item[][] {
  const parts: Item[][] = [];
  let part: Item[] = [];
  let weight = 0;
  for (const item of items) {
    weight += weightOf(item);
    if (part.length === 0 || weight > maxWeight) {
      part = [];
      parts.push(part);
      weight = weightOf(item);
    }
    part.push(item);
  }
  return parts;
}
