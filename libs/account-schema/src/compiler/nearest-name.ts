/** Longer names are cut before they are compared, so that a hostile name costs no time. */
const MAX_COMPARED_LENGTH = 64;

/** Names that differ from one name only in case, `-`, `_` and spaces are equally near. */
function normalize(name: string): string {
  return name
    .slice(0, MAX_COMPARED_LENGTH)
    .toLowerCase()
    .replaceAll(/[-_\s]/g, '');
}

/**
 * The documented name that is nearest to an undocumented one, if one is near: the same apart from case and separators,
 * or, in names of four characters or more, different in one character, or in two in names of eight or more. Undefined
 * if none is near.
 *
 * @param names the documented names of the object
 */
export function findNearestName(name: string, names: Iterable<string>): string | undefined {
  const wanted = normalize(name);
  let nearest: string | undefined;
  let limit = wanted.length >= 8 ? 2 : wanted.length >= 4 ? 1 : 0;
  for (const candidate of names) {
    const distance = distanceWithin(wanted, normalize(candidate), limit);
    if (distance === undefined) continue;
    nearest = candidate;
    limit = distance - 1;
  }
  return nearest;
}

/**
 * Sorts names by their similarity to a text, the most similar first; equally similar ones keep their order.
 *
 * @param maxDistance names that differ in more characters count as equally different, which takes less time
 */
export function nearestFirst(text: string, names: readonly string[], maxDistance = Infinity): string[] {
  const wanted = normalize(text);
  return names
    .map((name) => ({ name, distance: distanceWithin(wanted, normalize(name), maxDistance) ?? Infinity }))
    .sort((left, right) => left.distance - right.distance)
    .map(({ name }) => name);
}

/** The edit distance of two texts with swapped neighbours as one edit; undefined if it is above `limit`. */
function distanceWithin(one: string, other: string, limit: number): number | undefined {
  if (Math.abs(one.length - other.length) > limit) return undefined;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isEqual = one[row - 1] === other[column - 1];
      let cost = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (isEqual ? 0 : 1),
      );
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwap) cost = Math.min(cost, (beforeLast[column - 2] as number) + 1);
      current.push(cost);
    }
    // oxlint-disable-next-line portage/no-unbounded-spread -- texts are at most the limit longer than a known name
    if (Math.min(...current) > limit) return undefined;
    [beforeLast, last] = [last, current];
  }
  const distance = last[other.length] as number;
  return distance <= limit ? distance : undefined;
}
