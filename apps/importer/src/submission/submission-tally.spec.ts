import type { Submission } from '@portage/client';
import { systemClock } from '@portage/client';
import { summaryTable } from '../run/summary-table';
import { endedOf, NO_COUNTS, type SubmissionRun } from './submission-run';
import { SubmissionTally } from './submission-tally';

const runOf = (counts: Partial<Submission['counts']>, before: Partial<Submission['counts']> = {}) =>
  ({
    submission: { counts: { ...NO_COUNTS, ...counts } },
    before: { ...NO_COUNTS, ...before },
  }) as unknown as SubmissionRun;

describe('the summary of a submission', () => {
  it('counts corrections and unchanged accounts, and those whose correction has not ended as unfinished', () => {
    const run = runOf({ received: 20, refused: 1, processed: 3, corrected: 4, unchanged: 10, correcting: 2 });
    const summary = new SubmissionTally(systemClock).summary(run);
    expect(summary).toMatchObject({
      accepted: 19,
      accepted_before: 0,
      processed: 3,
      corrected: 4,
      unchanged: 10,
      unfinished: 2,
    });
    expect(endedOf(run.submission.counts)).toBe(18);
    const rows = summaryTable(summary).replaceAll(/[^\w\n]+/g, ' ');
    expect(rows).toMatch(/corrected 4 \n unchanged 10 /);
    expect(rows).not.toContain('would be corrected');
  });

  it('counts no account as unfinished that an earlier run has left unchanged or corrected', () => {
    const counts = { received: 7, processed: 1, corrected: 2, unchanged: 4 };
    const summary = new SubmissionTally(systemClock).summary(runOf(counts, counts));
    expect(summary).toMatchObject({ accepted: 0, accepted_before: 0, already_imported: 1, unfinished: 0 });
  });
});
