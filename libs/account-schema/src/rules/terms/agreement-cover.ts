import type { AnyAgreement } from '../../contract/agreements';

/**
 * Counts the agreements that cover a period, up to two. An account may have ten thousand agreements and as many
 * charges, so each query is a binary search: among the agreements that start early enough, only the two latest ends
 * matter.
 */
export class AgreementCover {
  private readonly starts: string[] = [];
  /** For each agreement in order of start: the latest and second latest end up to there. */
  private readonly ends: (readonly [string, string])[] = [];

  constructor(agreements: readonly AnyAgreement[]) {
    const inOrder = [...agreements].sort((a, b) => (a.effective_from < b.effective_from ? -1 : 1));
    let latest = BEFORE_EVERY_DAY;
    let second = BEFORE_EVERY_DAY;
    for (const { effective_from: start, effective_to: exclusive } of inOrder) {
      const end = exclusive ?? AFTER_EVERY_DAY;
      if (end > latest) [latest, second] = [end, latest];
      else if (end > second) second = end;
      this.starts.push(start);
      this.ends.push([latest, second]);
    }
  }

  /** Returns 0, 1, or 2 for two or more. `from` and `to` are inclusive; the end of an agreement is exclusive. */
  count(from: string, to: string): 0 | 1 | 2 {
    const [latest, second] = this.ends[this.countStartedOnOrBefore(from) - 1] ?? [
      BEFORE_EVERY_DAY,
      BEFORE_EVERY_DAY,
    ];
    if (second > to) return 2;
    return latest > to ? 1 : 0;
  }

  private countStartedOnOrBefore(day: string): number {
    let low = 0;
    let high = this.starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.starts[middle] ?? '') <= day) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** These texts sort before and after every day. */
const BEFORE_EVERY_DAY = '';
const AFTER_EVERY_DAY = '~';
