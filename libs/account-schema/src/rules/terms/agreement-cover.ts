import { type AnyAgreement } from '../../supply/agreement';

/**
 * Counts agreements that cover a stretch of days, as far as two. An account may have ten thousand agreements and
 * as many charges, so each question is answered by bisection: among the agreements that start early enough, only
 * the two latest ends matter.
 */
export class AgreementCover {
  private readonly starts: string[] = [];
  /** After each agreement in order of start: the latest end so far, and the second latest. */
  private readonly ends: (readonly [string, string])[] = [];

  constructor(agreements: readonly AnyAgreement[]) {
    const inOrder = [...agreements].sort((a, b) => (a.effective_from < b.effective_from ? -1 : 1));
    let latest = NEVER;
    let second = NEVER;
    for (const { effective_from: start, effective_to: exclusive } of inOrder) {
      const end = exclusive ?? OPEN;
      if (end > latest) [latest, second] = [end, latest];
      else if (end > second) second = end;
      this.starts.push(start);
      this.ends.push([latest, second]);
    }
  }

  /** 0, 1, or 2 for several. Both days are included; an agreement's own end is exclusive. */
  count(from: string, to: string): 0 | 1 | 2 {
    const [latest, second] = this.ends[this.startedBy(from) - 1] ?? [NEVER, NEVER];
    if (second > to) return 2;
    return latest > to ? 1 : 0;
  }

  private startedBy(day: string): number {
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

/** Texts that sort before and after every day. */
const NEVER = '';
const OPEN = '~';
