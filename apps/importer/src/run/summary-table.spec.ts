import { systemClock } from '@portage/client';
import { SubmissionTally } from '../submission/submission-tally';
import { summaryTable } from './summary-table';

it('shows refusals by code, the most frequent first', () => {
  const tally = new SubmissionTally(systemClock);
  for (const code of ['required', 'invalid', 'invalid']) tally.recordFailed('refused', code);
  const summary = tally.summary();
  expect(Object.keys(summary.refused)).toEqual(['invalid', 'required']);
  const words = summaryTable(summary).replaceAll(/[^a-z_0-9]+/g, ' ');
  expect(words).toContain(' refused 3 invalid 2 required 1 ');
});

it('shows additions by kind, and lines that have added nothing by code', () => {
  const additions = {
    payment_instruction: {
      lines: 3,
      added: 1,
      existing: 0,
      different: 0,
      moved: 0,
      failed: { instruction_expired: 2 },
    },
  };
  const table = summaryTable({ ...new SubmissionTally(systemClock).summary(), additions });
  expect(table).toContain('lines a second');
  const words = table.replaceAll(/[^a-z_0-9]+/g, ' ');
  expect(words).toContain(
    'additions lines added moved existing different failed payment instruction 3 1 0 0 0 2',
  );
  expect(words).toContain('instruction_expired 2');
});
