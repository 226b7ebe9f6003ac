/** A member whose key an earlier member has: the indexes of both. */
export interface Repeat {
  readonly index: number;
  readonly first: number;
}

/**
 * The members whose key an earlier member has. Members with an undefined key are ignored. Linear, because lists may
 * have ten thousand members.
 */
export function findRepeats<Item>(
  items: readonly Item[] | null | undefined,
  keyOf: (item: Item) => string | undefined,
): Repeat[] {
  if (!items || items.length < 2) return [];
  const seen = new Map<string, number>();
  const found: Repeat[] = [];
  for (const [index, item] of items.entries()) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    else found.push({ index, first });
  }
  return found;
}

/** Joins texts to one unambiguous key. The separator is NUL, which validated texts cannot contain. */
export function keyOf(...parts: readonly (string | null | undefined)[]): string {
  let key = '';
  for (const part of parts) key += part === undefined || part === null ? '\0' : `=${part}\0`;
  return key;
}
