import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anyBackend, newDirectory, SharedPortage } from '@portage/testing';
import type { ImportOutcome } from '../../../apps/importer/src/import-book';
import type { ImportOptions } from '../../../apps/importer/src/options';
import { readRows } from '../../../apps/importer/test/error-rows';
import { runImport } from '../../../apps/importer/test/run-import';

describe('import-book with additions', () => {
  const portage = SharedPortage.use(anyBackend());
  let folder: string;
  const path = (name: string) => join(folder, name);

  async function write(name: string, lines: readonly string[]): Promise<string> {
    await writeFile(path(name), `${lines.join('\n')}\n`);
    return path(name);
  }

  async function run(options: Partial<ImportOptions>): Promise<ImportOutcome> {
    const baseUrl = new URL(portage.baseUrl);
    const given = { baseUrl, apiKey: portage.apiKey, timeoutMs: 120_000, waitMs: 600_000 };
    const files = { errors: path('errors.csv'), rejected: path('rejected.ndjson') };
    return runImport({ ...given, ...files, ...options });
  }

  const send = async (file: string, more: Partial<ImportOptions> = {}) =>
    run({ file, kind: 'additions', ...more });
  const line = (kind: string, number: string, body: object) =>
    JSON.stringify({
      [kind]: { ...portage.about(number), ...body },
    });
  const note = (number: string, body: string) => line('notes', number, { notes: [{ body }] });
  const payment = (number: string, id: string, amount: string) =>
    line('transactions', number, {
      transactions: [{ transaction_id: id, transaction_date: '2020-01-31', type: 'PAYMENT', amount }],
    });
  /** Without those that Portage adds about transactions that it has moved. */
  const countNotes = async () =>
    portage.countRows(
      `note JOIN account ON account.id = account_id JOIN import_supplier supplier ON supplier.id = supplier_id
       WHERE NOT is_pinned AND supplier.code = '${portage.supplier}'`,
    );

  beforeAll(async () => {
    folder = newDirectory();
    const accounts = ['B-1', 'B-2'].map((number) => JSON.stringify(portage.account(number)));
    await run({ file: await write('accounts.ndjson', accounts) });
  });

  it('lists failed lines of each kind, copies them, and reconciles with the totals of the file', async () => {
    const statement = { statement_id: 'S-1', number: 'S-1', issued_date: '2020-02-03', gross_amount: 1250 };
    const period = { bill_period_from_date: '2020-01-01', bill_period_to_date: '2020-01-31' };
    const bad = [
      note('B-NONE', 'No such account.'),
      payment('B-1', 'T-2', 'much'),
      line('payment_instruction', 'B-1', {}),
    ];
    const lines = [
      note('B-1', 'Moved.'),
      payment('B-1', 'T-1', '20.00'),
      line('historical_statements', 'B-2', { statements: [{ ...statement, ...period }] }),
      ...bad,
      '{"cut',
      note('B-1', 'Moved.'),
    ];
    const { summary, submission } = await send(await write('kinds.ndjson', lines));
    expect(summary).toMatchObject({ processed: 3, repeated: 1, unfinished: 0 });
    expect(summary?.additions).toMatchObject({
      notes: { lines: 2, added: 1, failed: { account_not_found: 1 } },
      transactions: { lines: 2, added: 1 },
      historical_statements: { lines: 1, added: 1, failed: {} },
      payment_instruction: { lines: 1, added: 0 },
    });
    expect(await readFile(path('rejected.ndjson'), 'utf8')).toBe(`${[...bad, '{"cut'].join('\n')}\n`);
    const rows = await readRows(path('errors.csv'));
    expect(rows).toContainEqual(expect.stringMatching(/^4,notes,B-NONE,errored,account_not_found,/));
    expect(rows).toContainEqual(expect.stringMatching(/^5,transactions,B-1,refused,/));
    expect(rows).toContainEqual(expect.stringMatching(/^7,,,refused,parse_error,/));
    const { measures, reconciled } = submission!.reconciliation!;
    expect(reconciled).toBe(false);
    expect(measures).toContainEqual(
      expect.objectContaining({ measure: 'payment_total', expected: '20.00', imported: '20.00' }),
    );
    expect(measures).toContainEqual(
      expect.objectContaining({ measure: 'statement_total', expected: 1250, imported: 1250 }),
    );
  });

  it('adds nothing in a rehearsal, adds a book once, and says what exists and what differs', async () => {
    const before = await countNotes();
    const lines = Array.from({ length: 20 }, (_, nth) => note('B-2', `Note ${nth}.`));
    const file = await write('once.ndjson', [...lines, payment('B-2', 'T-3', '5.00')]);
    const rehearsed = await send(file, { rehearse: true });
    expect(rehearsed.summary).toMatchObject({ dry_run_succeeded: 21 });
    expect(await countNotes()).toBe(before);
    const first = await send(file);
    expect(first.summary?.additions).toMatchObject({ notes: { added: 20, existing: 0 } });
    expect(first.submission?.reconciliation?.reconciled).toBe(true);
    expect(await countNotes()).toBe(before + 20);
    const again = await send(file, { reference: 'again' });
    expect(again.summary).toMatchObject({ unchanged: 21 });
    expect(again.summary?.additions).toMatchObject({ notes: { added: 0, existing: 20 } });
    expect(await countNotes()).toBe(before + 20);
    const other = await send(await write('differing.ndjson', [payment('B-2', 'T-3', '6.00')]));
    expect(other.summary?.additions).toMatchObject({ transactions: { existing: 1, different: 1 } });
    expect(await readRows(path('errors.csv'))).toEqual([
      expect.stringMatching(/^1,transactions,B-2,differing,addition_differing,/),
    ]);
  });
});
