/** A period of days, open-ended without an end. The caller decides whether the end is inclusive. */
export interface Period {
  readonly start: string;
  readonly end: string | null | undefined;
}

/** The periods between two fields of members. */
export function periodsOf<Start extends string, End extends string>(
  members:
    | readonly ({ readonly [Key in Start]: string } & { readonly [Key in End]?: string | null })[]
    | null
    | undefined,
  start: Start,
  end: End,
): (Period & { readonly index: number })[] {
  return (members ?? []).map((one, index) => ({ start: one[start], end: one[end], index }));
}

/** Sorts by start, then by end. */
export function sortPeriods<P extends Period>(periods: readonly P[]): P[] {
  return [...periods].sort((a, b) => compare(a.start, b.start) || compare(a.end ?? '~', b.end ?? '~'));
}

/**
 * The periods that start before an earlier one has ended. Ends are inclusive if `isEndInclusive`. A single pass over
 * the sorted list: only the latest end so far matters.
 */
export function findOverlaps<P extends Period>(periods: readonly P[], isEndInclusive: boolean): P[] {
  if (periods.length < 2) return [];
  const found: P[] = [];
  let latest: string | undefined;
  for (const period of sortPeriods(periods)) {
    if (latest !== undefined && (period.start < latest || (isEndInclusive && period.start === latest))) {
      found.push(period);
    }
    const end = period.end ?? '~';
    if (latest === undefined || end > latest) latest = end;
  }
  return found;
}

/** The pairs of consecutive members of a list. */
export function consecutivePairs<P>(sorted: readonly P[]): (readonly [P, P])[] {
  return sorted.slice(1).map((next, i) => [sorted[i] as P, next] as const);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
