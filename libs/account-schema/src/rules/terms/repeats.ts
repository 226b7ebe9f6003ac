/**
 * The places of members whose key an earlier member had already; members whose key is undefined do not count.
 * Linear, because lists may have ten thousand members.
 */
export function repeats<Item>(
  items: readonly Item[] | null | undefined,
  keyOf: (item: Item) => string | undefined,
): number[] {
  if (!items || items.length < 2) return [];
  const seen = new Set<string>();
  const found: number[] = [];
  for (const [place, item] of items.entries()) {
    const key = keyOf(item);
    if (key === undefined) continue;
    if (seen.has(key)) found.push(place);
    else seen.add(key);
  }
  return found;
}

/** One key out of several texts, none of which can run into the next: no text that was read has a NUL in it. */
export function keyOf(...parts: readonly (string | null | undefined)[]): string {
  let key = '';
  for (const part of parts) key += part === undefined || part === null ? '\0' : `=${part}\0`;
  return key;
}
