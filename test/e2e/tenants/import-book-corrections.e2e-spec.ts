import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anyBackend, builtProgram, newDirectory, SharedPortage, until } from '@portage/testing';
import { readRows } from '../../../apps/importer/test/error-rows';

interface Run {
  code: number;
  /** Standard output. */
  output: string;
  /** Standard error. */
  messages: string;
}

describe('import-book with corrections', () => {
  const portage = SharedPortage.use(anyBackend());
  let folder: string;
  beforeAll(async () => {
    folder = newDirectory();
  });

  const path = (name: string) => join(folder, name);
  const line = (number: string, familyName = 'Aldous', balance = '5.00') =>
    JSON.stringify(
      portage.account(number, {
        customers: [{ given_name: 'Maeve', family_name: familyName }],
        last_statement_balance: balance,
        transfer_balance: balance,
      }),
    );

  async function write(name: string, lines: readonly string[]): Promise<string> {
    await writeFile(path(name), `${lines.join('\n')}\n`);
    return path(name);
  }

  /** Runs the importer without a terminal. */
  async function run(file: string, ...options: string[]): Promise<Run> {
    const given = ['--file', file, '--base-url', portage.baseUrl, '--wait-minutes', '5', ...options];
    const env = { PATH: process.env['PATH'], PORTAGE_API_KEY: portage.apiKey };
    return new Promise((resolve) => {
      execFile(process.execPath, [builtProgram('importer'), ...given], { env }, (error, stdout, stderr) => {
        resolve({ code: Number(error?.code ?? 0), output: stdout, messages: stderr });
      });
    });
  }

  /** The names and balances in the account tables, by account number. */
  async function stored(prefix: string): Promise<Record<string, string>> {
    const rows = await portage.sql<{ number: string; text: string }>(
      `SELECT external_account_number AS number, family_name || ' ' || balance AS text
       FROM account JOIN customer ON customer.account_id = account.id JOIN ledger ON ledger.account_id = account.id
       WHERE external_account_number LIKE $1
         AND account.supplier_id = (SELECT id FROM import_supplier WHERE code = $2) ORDER BY 1`,
      [`${prefix}-%`, portage.supplier],
    );
    return Object.fromEntries(rows.map(({ number, text }) => [number, text]));
  }

  it('plans a changed book, corrects and creates its accounts, and leaves the others', async () => {
    const numbers = ['P-1', 'P-2', 'P-3'];
    await run(
      await write(
        'first.ndjson',
        numbers.map((number) => line(number)),
      ),
    );
    const bad = line('P-5').replace('"Maeve"', '"Maeve","landline":"01234"');
    const file = await write('second.ndjson', [
      line('P-1'),
      line('P-2', 'Reed'),
      line('P-3', 'Aldous', '7.50'),
      line('P-4'),
      bad,
    ]);
    const files = ['--errors', path('errors.csv'), '--rejected', path('rejected.ndjson')];
    const options = ['--mode', 'create-or-correct', '--plan', ...files];

    const planned = await run(file, ...options, '--report', path('plan.json'));
    expect(planned.output).toBe('Create 1 · Correct 2 · Unchanged 1 · Refused 1\n');
    expect(planned.messages).toContain(
      'Would correct P-2 (line 2): customers.0.family_name "Aldous" → "Reed"\n',
    );
    expect(planned.messages).toMatch(
      /Refused P-5 \(line 5\): invalid_phone_number, customers\.0\.landline: .*\n/,
    );
    expect(planned.messages).toMatch(/run the same command with --yes or without --plan\.\n$/);
    expect(planned.code).toBe(0);
    expect(await readRows(path('errors.csv'))).toEqual([expect.stringMatching(/^5,account,P-5,refused,/)]);
    expect(JSON.parse(await readFile(path('plan.json'), 'utf8'))).toMatchObject({
      plan: { would_create: 1, would_correct: 2, unchanged: 1, refused: 1, conflicting: 0 },
      processed: 0,
      corrected: 0,
    });
    const before = { 'P-1': 'Aldous 5.00', 'P-2': 'Aldous 5.00', 'P-3': 'Aldous 5.00' };
    expect(await stored('P')).toEqual(before);

    const expected = ['--expected', 'accounts=5'];
    const sent = await run(file, ...options, ...expected, '--yes', '--report', path('report.json'));
    expect(sent.output).toMatch(/^Create 1 · Correct 2 · Unchanged 1 · Refused 1\n/);
    expect(sent.output).toMatch(/corrected\s+│\s+2 │[^]*unchanged\s+│\s+1 │/);
    expect(sent.output).toContain('1 created, 2 corrected, 1 unchanged. NOT RECONCILED.');
    expect(sent.messages).toContain('1 accounts are not imported or corrected.');
    expect(sent.messages).toMatch(/is not reconciled: accounts differ by -1/);
    expect(sent.code).toBe(1);
    expect(await readFile(path('rejected.ndjson'), 'utf8')).toBe(`${bad}\n`);
    expect(JSON.parse(await readFile(path('report.json'), 'utf8'))).toMatchObject({
      plan: { would_create: 1, would_correct: 2 },
      processed: 1,
      corrected: 2,
      unchanged: 1,
      unfinished: 0,
    });
    expect(await stored('P')).toEqual({
      'P-1': 'Aldous 5.00',
      'P-2': 'Reed 5.00',
      'P-3': 'Aldous 7.50',
      'P-4': 'Aldous 5.00',
    });

    const again = await run(file, ...options, ...expected, '--yes');
    expect(again.messages).toMatch(/was opened by an earlier run, so there is no new plan/);
    expect(again.output).not.toContain('Create');
    expect(again.output).toContain('1 created, 2 corrected, 1 unchanged.');
  });

  it('says that an unchanged book is unchanged, and ends with 1 once its accounts were corrected', async () => {
    const file = await write('same.ndjson', [line('U-1'), line('U-2')]);
    await run(file);
    const options = ['--mode', 'create-or-correct'];
    const { code, output, messages } = await run(file, ...options, '--plan', '--yes');
    expect(output).toMatch(/^Create 0 · Correct 0 · Unchanged 2 · Refused 0\n/);
    expect(output).toContain('0 created, 0 corrected, 2 unchanged. Reconciled.');
    expect(messages).toContain('Nothing has changed: all 2 accounts are imported with the same content.');
    expect(code).toBe(0);

    const path = `/v2/data-import/accounts/${portage.supplier}/U-1/correct/`;
    expect((await portage.post(path, JSON.parse(line('U-1', 'Reed')))).status).toBe(201);
    await until(async () => (await stored('U'))['U-1'] === 'Reed 5.00', 'the account is not corrected');
    const outdated = await run(file, ...options);
    expect(outdated.output).toContain('1 accounts were corrected since');
    expect(outdated.messages).toContain('To apply it again, give --reference another name.');
    expect(outdated.code).toBe(1);

    expect((await run(file, ...options, '--reference', 'again')).code).toBe(0);
    expect(await stored('U')).toEqual({ 'U-1': 'Aldous 5.00', 'U-2': 'Aldous 5.00' });
  });
});
