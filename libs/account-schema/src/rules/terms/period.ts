/** A stretch of days; without an end it runs on. What the end means, the caller says. */
export interface Period {
  readonly start: string;
  readonly end: string | null | undefined;
}

/** Sorted by start, and by end where starts are the same. */
export function inOrder<P extends Period>(periods: readonly P[]): P[] {
  return [...periods].sort((a, b) => compare(a.start, b.start) || compare(a.end ?? '~', b.end ?? '~'));
}

/**
 * The periods that begin before one that began earlier has ended. With `endIsInside` the last day belongs to
 * the period. One pass over the sorted list: only the latest end so far matters.
 */
export function overlapping<P extends Period>(periods: readonly P[], endIsInside: boolean): P[] {
  if (periods.length < 2) return [];
  const found: P[] = [];
  let latest: string | undefined;
  for (const period of inOrder(periods)) {
    if (latest !== undefined && (period.start < latest || (endIsInside && period.start === latest))) {
      found.push(period);
    }
    const end = period.end ?? '~';
    if (latest === undefined || end > latest) latest = end;
  }
  return found;
}

/** Consecutive pairs of a sorted list. */
export function neighbours<P>(sorted: readonly P[]): (readonly [P, P])[] {
  return sorted.slice(1).map((next, i) => [sorted[i] as P, next] as const);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
