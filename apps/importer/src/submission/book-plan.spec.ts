import type { SubmissionResult } from '@portage/client';
import type { Summary } from '../run/summary';
import { describeCorrection, describePlan, planOf } from './book-plan';
import type { SubmissionRun } from './submission-run';

const runOf = (would_create: number, would_correct: number, unchanged: number) =>
  ({ submission: { plan: { would_create, would_correct, unchanged, refused: 0 } } }) as SubmissionRun;

describe('the plan of a book', () => {
  it('counts lines that are refused before they are sent', () => {
    const summary = { refused: { required: 40, parse_error: 5 }, errored: { invalid: 2 }, conflicting: 0 };
    const plan = planOf(runOf(12, 340, 99_601), summary as unknown as Summary);
    expect(describePlan(plan)).toBe('Create 12 · Correct 340 · Unchanged 99,601 · Refused 47');
    expect(describePlan({ ...plan, conflicting: 2 })).toMatch(/ · Refused 47 · Conflicting 2$/);
  });

  it('shows the first changes of an account, and the beginning of long values', () => {
    const change = (path: string, from: unknown, to: unknown) => ({ path, from, to });
    const result = (changes: unknown[], change_count: number) =>
      ({ external_account_number: 'A-4', changes, change_count }) as unknown as SubmissionResult;
    const changes = [
      change('customers.0.family_name', 'Aldous', 'Reed'),
      change('notes.0.body', null, 'x'.repeat(99)),
    ];
    expect(describeCorrection(result(changes, 9), 'line 4')).toBe(
      `Would correct A-4 (line 4): customers.0.family_name "Aldous" → "Reed", notes.0.body nothing → "${'x'.repeat(39)}..., 7 more changes`,
    );
    expect(describeCorrection(result([], 3), 'line 4')).toBe('Would correct A-4 (line 4): 3 changes');
  });
});
