import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Answer, SharedPortage, tomorrow, until } from '@portage/testing';

const SUBMISSIONS = '/v2/data-import/submissions/';

interface Result {
  line: number;
  external_account_number: string | null;
  outcome: string;
  payload_digest: string | null;
  duplicate_of: { upload: number; line: number } | null;
  errors: { code: string }[];
}

/** The digest as a supplier computes it. */
const digestOf = (payload: object) =>
  `sha-256=:${createHash('sha256').update(JSON.stringify(payload)).digest('base64')}:`;

const portage = SharedPortage.use('postgres');

const path = (id: string, name = '') => `${SUBMISSIONS}${id}/${name === '' ? '' : `${name}/`}`;

/** Uploads lines, completes the submission and waits until it is finished. */
async function submit(
  reference: string,
  lines: readonly (object | string)[],
  more: object = {},
): Promise<string> {
  const id = await portage.openSubmission(reference, more);
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const uploaded = await portage.upload(id, text);
  expect([uploaded.status, uploaded.text]).toEqual([200, expect.any(String)]);
  await portage.completeSubmission(id);
  await portage.waitForSubmission(id);
  return id;
}

const resultsIn = ({ text }: Answer): Result[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Result);

/** An account with two customers and a balance of -3.50. */
const account = (number: string, more: object = {}) =>
  portage.account(number, {
    customers: [{ family_name: 'Byron' }, { family_name: 'Babbage' }],
    transfer_balance: '-3.50',
    current_statement_transactions: [
      { transaction_id: 'T-1', transaction_date: '2024-06-15', type: 'PAYMENT', amount: '3.50' },
      { transaction_id: 'T-2', transaction_date: '2024-06-15', type: 'REPAYMENT', amount: '7.00' },
    ],
    ...more,
  });

describe('the results of a submission', () => {
  let id: string;

  beforeAll(async () => {
    id = await submit('results', [
      account('R-1'),
      account('=R-2', { billing_email: 'x' }),
      'not JSON',
      account('R-4'),
    ]);
  });

  const results = async (query = '', headers = {}) => portage.get(`${path(id, 'results')}${query}`, headers);

  it('are one JSON object a line, in the order of arrival', async () => {
    const answer = await results();
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/x-ndjson']);
    expect(answer.headers['vary']).toBe('Accept, Accept-Encoding');
    const found = resultsIn(answer);
    expect(
      found.map(({ line, external_account_number: number, outcome }) => [line, number, outcome]),
    ).toEqual([
      [1, 'R-1', 'processed'],
      [2, '=R-2', 'refused'],
      [3, null, 'refused'],
      [4, 'R-4', 'processed'],
    ]);
    expect(found[0]).toMatchObject({ payload_digest: digestOf(account('R-1')) });
    expect(found[1]).toMatchObject({ payload_digest: digestOf(account('=R-2', { billing_email: 'x' })) });
    expect(found[2]).toMatchObject({ payload_digest: null });
    expect(found[1]!.errors[0]).toMatchObject({ attr: 'billing_email' });
    expect(found[2]!.errors).toMatchObject([{ code: 'line_not_json', attr: null }]);
  });

  it('are filtered by outcome, repeated or with commas, and unknown ones are refused', async () => {
    const lines = async (query: string) => resultsIn(await results(query)).map(({ line }) => line);
    expect(await lines('?outcome=refused')).toEqual([2, 3]);
    expect(await lines('?outcome=refused,errored&outcome=processed')).toEqual([1, 2, 3, 4]);
    expect((await results('?outcome=errored')).text).toBe('');
    const answer = await results('?outcome=refused,lost');
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_error']);
    expect(answer.body.errors).toEqual([
      {
        attr: 'outcome',
        code: 'invalid_choice',
        detail: expect.stringContaining('refused, repeated, pending, in_progress'),
      },
    ]);
  });
});

describe('documents that are not in the store yet', () => {
  const statement = (number: string, path: string, amount: number) => ({
    statement_id: number,
    bill_period_from_date: '2024-05-01',
    bill_period_to_date: '2024-05-31',
    gross_amount: amount,
    statement_path: path,
  });
  const named = {
    statements: [statement('S-1', 'D-1/1.pdf', 11261), statement('S-2', 'D-1/2.pdf', -61)],
    notes: [{ document_paths: [{ document_path: 'D-1/3.pdf' }] }],
  };

  it('are counted in results, the status and the reconciliation, and listed at once, missing ones first', async () => {
    const stored = join(portage.directory, 'documents', portage.supplier, 'D-1/1.pdf');
    mkdirSync(dirname(stored), { recursive: true });
    writeFileSync(stored, '%PDF-1.4\n%%EOF\n');
    const refused = account('D-3', { ...named, billing_email: 'x' });
    const id = await submit('documents', [account('D-1', named), account('D-2'), refused], {
      expected: { documents: 3, statement_total: 11200 },
    });
    const list = async (query = '') =>
      (await portage.get(`/v2/data-import/documents/${portage.supplier}/${query}`)).body as {
        document_path: string;
        state: string;
      }[];
    await until(
      async () => (await list()).length === 2,
      async () => `The first document was not found: ${JSON.stringify(await list())}`,
    );
    expect((await list()).map(({ document_path: file, state }) => [file, state])).toEqual([
      ['D-1/2.pdf', 'PENDING'],
      ['D-1/3.pdf', 'PENDING'],
    ]);
    await portage.sql(
      `UPDATE document SET state = CASE path WHEN 'D-1/3.pdf' THEN 'MISSING' ELSE state END
       FROM account JOIN import_supplier supplier ON supplier.id = supplier_id
       WHERE account.id = account_id AND code = $1`,
      [portage.supplier],
    );
    expect((await list()).map(({ state }) => state)).toEqual(['MISSING', 'PENDING']);
    expect(await list('?state=PENDING')).toMatchObject([{ document_path: 'D-1/2.pdf' }]);
    expect(await portage.results(id)).toMatchObject([
      { external_account_number: 'D-1', documents_named: 3, documents_missing: 2 },
      { external_account_number: 'D-2', documents_named: 0, documents_missing: 0 },
      { external_account_number: 'D-3', documents_named: 3, documents_missing: null },
    ]);
    const headers = async (number: string) => (await portage.status(number)).headers['documents'];
    expect([await headers('D-1'), await headers('D-2')]).toEqual([
      'named=3, missing=2, refused=0',
      undefined,
    ]);
    const { measures, reconciled } = (await portage.get(path(id, 'reconciliation'))).body;
    expect(reconciled).toBe(true);
    const measure = (name: string) => measures.find((one: { measure: string }) => one.measure === name);
    expect(measure('documents')).toMatchObject({
      expected: 3,
      received: 6,
      imported: 3,
      missing: 2,
      difference: 0,
    });
    expect(measure('statement_total')).toMatchObject({
      currency: 'GBP',
      unit: 'minor',
      expected: 11200,
      received: 22400,
      imported: 11200,
    });
    const command = await portage.cli('submission', 'reconcile', id);
    expect(command.stdout).toMatch(/│ documents +│/);
  });
});

describe('operators', () => {
  it('list and show submissions and their results', async () => {
    const refusedAccount = account('+O-2', { billing_email: 'x' });
    const lines = [account('O-1'), refusedAccount, account('O-1')];
    const id = await submit('operators', lines, { expected: { accounts: 3 } });
    const listed = (await portage.operator('submission', 'list', '--supplier', portage.supplier)) as {
      id: string;
    }[];
    expect(listed[0]).toMatchObject({ id, reference: 'operators', status: 'FINISHED' });
    expect(await portage.operator('submission', 'show', id)).toMatchObject({
      id,
      counts: { received: 2, refused: 1, processed: 1, repeated: 1 },
      is_dry_run: false,
      opened_by: expect.stringMatching(/^api-key:/),
    });
    const refused = (await portage.operator('submission', 'results', id, '--outcome', 'refused')) as Result[];
    expect(refused).toMatchObject([{ external_account_number: '+O-2', outcome: 'refused' }]);
    const text = await portage.cli('submission', 'results', id);
    expect(text.stdout).toMatch(/│ 1 +│ account +│ processed +│ O-1 +│ A-[0-9a-f]{8} /);
    expect(text.stdout).toMatch(/\n3 in all\.\n$/);
    const { body } = await portage.get(path(id, 'reconciliation'));
    expect(body.counted_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d$/);
    const reconciled = await portage.cli('submission', 'reconcile', id, '--json');
    expect(JSON.parse(reconciled.stdout)).toEqual({ ...body, counted_at: expect.any(String) });
    expect([reconciled.status, reconciled.stderr]).toEqual([1, `The submission ${id} is not reconciled.\n`]);
  });

  it('roll a submission back, after a dry run and a confirmation', async () => {
    const id = await submit('taken back', [account('B-1'), account('B-2'), account('B-3')]);
    await portage.post('/v1/data-import/notes/create/', {
      ...portage.about('B-2'),
      notes: [{ body: 'Rang.' }],
    });
    const dry = await portage.operator('submission', 'rollback', id, '--dry-run');
    const expected = {
      submission: id,
      rolled_back: 2,
      left: { has_requests: 1 },
      is_complete: true,
      accounts_left: [{ external_account_number: 'B-2', reason: 'has_requests' }],
    };
    expect(dry).toMatchObject({ ...expected, is_dry_run: true });
    expect((await portage.status('B-1')).body.status).toBe('PROCESSED');
    const unconfirmed = await portage.cli('submission', 'rollback', id);
    expect([unconfirmed.status, unconfirmed.stderr]).toEqual([1, expect.stringContaining('--yes')]);

    const rollback = await portage.cli('submission', 'rollback', id, '--yes');
    expect([rollback.status, rollback.stderr]).toEqual([0, '']);
    expect(rollback.stdout).toMatch(/rolled_back +│ 2 /);
    expect(rollback.stdout).toMatch(/│ B-2 +│ A-[0-9a-f]{8} +│ has_requests /);
    expect((await portage.status('B-1')).body.status).toBe('CANCELLED');
    expect((await portage.status('B-2')).body.status).toBe('PROCESSED');
    expect((await portage.results(id))[0]).toMatchObject({
      external_account_number: 'B-1',
      outcome: 'cancelled',
      errors: [{ code: 'account_rolled_back', attr: null }],
    });
  });

  it('abort a submission, and are refused with a sentence that helps', async () => {
    const id = await portage.openSubmission('aborted', { task_params: tomorrow() });
    const refusal = async (...args: string[]) => (await portage.cli(...args)).stderr;
    await portage.upload(id, [account('A-1')]);
    expect(await refusal('submission', 'rollback', id, '--yes')).toContain(`submission abort ${id}`);
    expect(await portage.operator('submission', 'abort', id)).toMatchObject({
      cancelled: 1,
      status: 'ABORTED',
    });
    expect((await portage.status('A-1')).body.status).toBe('CANCELLED');
    for (const args of [['show'], ['results'], ['reconcile'], ['abort'], ['rollback', '--yes']]) {
      const [name = '', ...options] = args;
      expect(await refusal('submission', name, '999999', ...options)).toBe(
        'There is no submission 999999. List them with: submission list\n',
      );
    }
    expect(await refusal('process', 'release', '--submission', '999999')).toContain(
      'There is no submission 999999.',
    );
    expect(await refusal('process', 'release', '--first', '1')).toContain('--submission');
    expect(await refusal('process', 'release')).toContain('--submission');
    expect(await refusal('process', 'release', '--submission', id, '--first', '0')).toContain('--first must');
  });
});
