import { LIST_CHUNK_ROWS } from '@portage/platform';
import { insertLines, TestSubmission, useApplication } from '@portage/testing/application';
import type { LineOutcome } from './line-outcome';
import { SubmissionResults } from './submission-results';
import type { SubmissionResult } from './submission-results.dto';

const LARGE = 7_000;

const test = useApplication();
let submission: TestSubmission;

beforeAll(async () => {
  submission = await TestSubmission.open(test, 'results');
  await submission.account('R-1');
  await submission.refused('R-2', [
    { code: 'required', detail: 'This field is required.', attr: 'customers.0.family_name' },
    { code: 'invalid', detail: 'Not a number.', attr: 'ledgers.0.ledger_balance' },
  ]);
  await submission.ended('R-3', 'ERRORED');
  await submission.upload(2);
  await submission.refused(null, [{ code: 'parse_error', detail: 'The line is not JSON.', attr: null }]);
  await submission.ended('R-5', 'PENDING');
  await submission.ended('R-6', 'CANCELLED');
});

async function chunksOf(id: string, outcomes?: LineOutcome[]): Promise<SubmissionResult[][]> {
  const chunks: SubmissionResult[][] = [];
  for await (const chunk of await test.app.get(SubmissionResults).stream(id, outcomes)) chunks.push(chunk);
  return chunks;
}

const resultsOf = async (outcomes?: LineOutcome[]) => (await chunksOf(submission.id, outcomes)).flat();

describe('the results of a submission', () => {
  it('have one line for each account, in the order of arrival', async () => {
    const results = await resultsOf();
    expect(results.map(({ upload, line, outcome }) => [upload, line, outcome])).toEqual([
      [1, 1, 'processed'],
      [1, 2, 'refused'],
      [1, 3, 'errored'],
      [2, 4, 'refused'],
      [2, 5, 'pending'],
      [2, 6, 'cancelled'],
    ]);
    expect(results[0]).toEqual({
      upload: 1,
      line: 1,
      external_account_number: 'R-1',
      kind: 'account',
      addition: null,
      outcome: 'processed',
      platform_account_number: expect.stringMatching(/^A-[0-9a-f]{8}$/),
      payload_digest: expect.stringMatching(/^sha-256=:[\w+/]{43}=:$/),
      duplicate_of: null,
      documents_named: 0,
      changes: [],
      change_count: 0,
      documents_missing: 0,
      errors: [],
      warnings: [],
    });
  });

  it('name the line that counts in the row of a further line about an account', async () => {
    const further = await TestSubmission.open(test, 'further');
    await further.account('F-1');
    await further.refused('F-1', []);
    await further.refused('F-2', []);
    const results = (await chunksOf(further.id)).flat();
    expect(results.map((one) => [one.line, one.external_account_number, one.duplicate_of])).toEqual([
      [1, 'F-1', null],
      [2, 'F-1', { upload: 1, line: 1 }],
      [3, 'F-2', null],
    ]);
  });

  it('have all errors of a refused line, and the error of a process as its status shows it', async () => {
    const results = await resultsOf();
    expect(results[1]!.errors.map(({ attr }) => attr)).toEqual([
      'customers.0.family_name',
      'ledgers.0.ledger_balance',
    ]);
    expect(results[2]!.errors).toEqual([{ code: 'error', detail: 'Words.', attr: null }]);
    expect(results[3]).toMatchObject({ external_account_number: null, errors: [{ code: 'parse_error' }] });
  });

  it('are filtered by their outcomes', async () => {
    const numbers = async (...outcomes: LineOutcome[]) => (await resultsOf(outcomes)).map(({ line }) => line);
    expect(await numbers('refused')).toEqual([2, 4]);
    expect(await numbers('errored', 'cancelled')).toEqual([3, 6]);
    expect(await numbers('in_progress')).toEqual([]);
  });

  it('are read in bounded chunks, also where a filter finds few', async () => {
    const large = await TestSubmission.open(test, 'large');
    await large.sql(
      insertLines(`generate_series(1, ${LARGE}) AS line`, {
        submission_id: large.id,
        line: 'line',
        external_account_number: `'L-' || line`,
        refused_key: 'int4send(line)',
        outcome: `CASE WHEN line = ${LARGE} THEN 'cancelled' ELSE 'refused' END`,
        errors: `'[]'`,
      }),
    );
    const chunks = await chunksOf(large.id);
    expect(chunks.map(({ length }) => length)).toEqual(
      Array.from({ length: LARGE / LIST_CHUNK_ROWS }, () => LIST_CHUNK_ROWS),
    );
    expect(chunks.flat().map(({ line }) => line)).toEqual(
      Array.from({ length: LARGE }, (_, index) => index + 1),
    );
    expect((await chunksOf(large.id, ['cancelled'])).flat()).toMatchObject([{ line: LARGE }]);
  });
});
