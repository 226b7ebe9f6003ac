import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { anyBackend, builtProgram, SharedPortage } from '@portage/testing';
import type { ImportOutcome } from '../../../apps/importer/src/import-book';
import type { ImportOptions } from '../../../apps/importer/src/options';
import { StopRequest } from '../../../apps/importer/src/run/stop-request';
import { MappingFolder } from '../../../apps/importer/test/mapping-folder';
import { runImport } from '../../../apps/importer/test/run-import';
import { FaultyConnection } from './faulty-connection';

const HEADER = 'NO;SUPPLIER;ACCOUNT;NAME;START;BALANCE;NOTE';

describe('import-book with a mapping', () => {
  const portage = SharedPortage.use(anyBackend());
  let connection: FaultyConnection;
  let folder: MappingFolder;
  let notes: string[];

  beforeAll(async () => {
    connection = await FaultyConnection.start(portage.baseUrl);
  });
  beforeEach(() => {
    folder = new MappingFolder();
    folder.write('mapping.yaml', MAPPING);
    folder.write('contacts.csv', 'NO;TEL\n');
    notes = [];
    connection.uploads = 0;
  });
  afterAll(async () => {
    await connection.stop();
  });

  const MAPPING = `
source:
  accounts: { file: accounts.csv, encoding: windows-1252, delimiter: ';', key: NO }
  contacts: { file: contacts.csv, delimiter: ';', key: NO }
account:
  import_supplier: SUPPLIER
  external_account_number: ACCOUNT
  account_type: { value: DOMESTIC }
  date_of_sale: { column: START, date: dd/MM/yyyy }
  sales_channel: { value: DIRECT }
  billing_name: NAME
  billing_address1: { value: 2 Quay Street }
  billing_postcode: { value: HR99 9PR }
  transfer_balance: { column: BALANCE, decimal: ',', negate: true }
  last_statement_balance: { column: BALANCE, decimal: ',', negate: true }
  customers:
    - family_name: NAME
      alternative_phone_numbers: { each: contacts, phone_number: TEL }
      portfolio_roles: [{ value: ADMIN }]
additions:
  - notes:
      import_supplier: SUPPLIER
      external_account_number: ACCOUNT
      notes: [{ body: NOTE }]
  - transactions:
      import_supplier: SUPPLIER
      external_account_number: ACCOUNT
      transactions:
        each: contacts
        transaction_id: TEL
        transaction_date: { value: 2020-01-31 }
        type: { value: PAYMENT }
        amount: { value: 20.00 }
    check_previously_added: { value: true }
`;

  const row = (
    number: string,
    more: Partial<Record<'supplier' | 'account' | 'name' | 'start' | 'balance' | 'note', string>> = {},
  ) =>
    [
      number,
      more.supplier ?? portage.supplier,
      more.account ?? `X-${number}`,
      more.name ?? 'Aldous',
      more.start ?? '01/02/2021',
      more.balance ?? '12,50',
      more.note ?? '',
    ].join(';');
  const write = (rows: readonly string[], name = 'accounts.csv') => {
    folder.write(name, Buffer.from(`${[HEADER, ...rows].join('\n')}\n`, 'latin1'));
  };
  const files = () => ({
    mapping: folder.at('mapping.yaml'),
    results: folder.at('results.csv'),
    rejected: folder.at('rejected.csv'),
  });
  const read = (name: string) => folder.read(name).toString('latin1');
  const results = () =>
    parse(folder.read('results.csv')).map((cells) => cells.join(',').replaceAll('"', "'"));

  async function run(options: Partial<ImportOptions> = {}, stop?: StopRequest): Promise<ImportOutcome> {
    return runImport(
      {
        ...files(),
        baseUrl: connection.url,
        apiKey: portage.apiKey,
        waitMs: 600_000,
        timeoutMs: 120_000,
        ...options,
      },
      {
        ...(stop && { stop }),
        progress: { show: () => undefined, note: (line) => notes.push(line), end: () => undefined },
      },
    );
  }

  /** The importer as a process of its own. */
  function start(baseUrl: string, ...more: string[]) {
    const { mapping, results: to, rejected } = files();
    const given = ['--mapping', mapping, '--results', to, '--rejected', rejected, '--base-url', baseUrl];
    const env = { PATH: process.env['PATH'], PORTAGE_API_KEY: portage.apiKey };
    const child = spawn(process.execPath, [builtProgram('importer'), ...given, ...more], { env });
    const ended = (async () => {
      const [output, messages, [code, signal]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
      ]);
      return { output, messages, code, signal };
    })();
    return { child, ended };
  }

  it('names errors of the mapping, of the validation and of the service by row and column, and reconciles', async () => {
    write([
      row('A1', { name: 'Müller' }),
      row('A2', { start: '31/02/2021' }),
      row('A3', { supplier: 'NO-SUCH-ONE' }),
      row('A4', { account: 'X-A4', name: 'One' }),
      row('A5', { account: 'X-A4', name: 'Two' }),
      row('A6'),
      row('A6'),
      row('A7'),
    ]);
    folder.write('contacts.csv', 'NO;TEL\nA7;12\nA1;+447400123456\nA9;+447400123457\n');
    const first = await run();
    expect(first.failure).toBeUndefined();
    expect(results()).toEqual([
      'file,row,key,request,outcome,errors',
      'accounts.csv,2,A1,account,processed,',
      expect.stringMatching(
        /^accounts\.csv,3,A2,,rejected,accounts\.csv row 3, START '31\/02\/2021': unreadable_cell at date_of_sale\. Expected a day as dd\/MM\/yyyy\./,
      ),
      expect.stringMatching(
        /^accounts\.csv,4,A3,account,refused,accounts\.csv row 4, SUPPLIER 'NO-SUCH-ONE': invalid_choice at import_supplier\./,
      ),
      expect.stringMatching(/^accounts\.csv,5,A4,account,conflicting,.*first is row 5, the last is row 6/),
      expect.stringMatching(/^accounts\.csv,6,A5,account,conflicting,/),
      'accounts.csv,7,A6,account,processed,',
      expect.stringMatching(/^accounts\.csv,8,A6,,rejected,.*repeated_key\. Row 7 has the same key\./),
      expect.stringMatching(/^accounts\.csv,9,A7,,rejected,contacts\.csv row 2, TEL '12': /),
      expect.stringMatching(/^contacts\.csv,4,A9,,rejected,contacts\.csv row 4, NO 'A9': no_account/),
    ]);
    expect(first.rowErrors).toContainEqual(
      expect.stringMatching(/^1 × accounts\.csv row 4, SUPPLIER "NO-SUCH-ONE": invalid_choice/),
    );
    const rejected = read('rejected.csv').trim().split('\n');
    expect(rejected[0]).toBe(`${HEADER};errors`);
    expect(rejected.slice(1).map((line) => line.split(';')[0])).toEqual(['A2', 'A3', 'A4', 'A5', 'A6', 'A7']);
    expect(read('rejected.contacts.csv')).toMatch(
      /^NO;TEL;errors\nA7;12;"contacts\.csv row 2.*\nA9;[+0-9]+;"?contacts/,
    );
  });

  it('goes on with its submission after it was killed in the middle of the upload', async () => {
    const nameOf = (number: number) =>
      Array.from({ length: 3 }, (_, nth) =>
        createHash('sha512').update(`${number} ${nth}`).digest('hex'),
      ).join('');
    write(Array.from({ length: 1500 }, (_, nth) => row(`K${nth}`, { name: nameOf(nth).slice(0, 250) })));
    const first = start(connection.url.href);
    connection.onBytes = { count: 150_000, act: () => first.child.kill('SIGKILL') };
    expect((await first.ended).signal).toBe('SIGKILL');
    const [id] = /(?<=Submission )\d+/.exec((await first.ended).messages) ?? [];
    expect(existsSync(folder.at('results.csv'))).toBe(false);
    const second = await run();
    expect(second.submission).toMatchObject({ id, reconciliation: { reconciled: true } });
    expect(results().filter((line) => line.endsWith(',account,processed,'))).toHaveLength(1500);
  });

  it('plans a delta, and corrects and creates what differs from the rows of the last run', async () => {
    write([row('D1'), row('D2')]);
    await run();
    write([row('D1'), row('D2', { name: 'Reed' }), row('D3'), row('D4', { balance: '1.5' })]);
    const { ended } = start(portage.baseUrl, '--mode', 'create-or-correct', '--plan', '--yes');
    const { code, output, messages } = await ended;
    expect(output).toContain('Accounts without errors: 3\nAccounts with errors: 1\n');
    expect(output).toContain('1 × accounts.csv row 5, BALANCE "1.5": unreadable_cell at transfer_balance.');
    expect(output).toContain('Create 1 · Correct 1 · Unchanged 1 · Refused 0\n');
    expect(messages).toContain('(accounts.csv row 3): billing_name "Aldous" → "Reed"');
    expect(messages).toContain('1 accounts have errors of the mapping, so they were not sent.');
    expect(code).toBe(1);
    expect(
      results()
        .slice(1)
        .map((line) => line.split(',').slice(1, 5).join(' ')),
    ).toEqual([
      '2 D1 account unchanged',
      '3 D2 account corrected',
      '4 D3 account processed',
      '5 D4  rejected',
    ]);
  });

  it('sends additions, names their errors by row and column, and leaves out rows without any', async () => {
    write([row('E1'), row('E2')]);
    await run();
    write([row('E1', { note: 'Moved.' }), row('E2'), row('E3', { note: 'Nobody.' })]);
    folder.write('contacts.csv', 'NO;TEL\nE1;T-1\n');
    const outcome = await run({ kind: 'additions' });
    expect(results()).toEqual([
      'file,row,key,request,outcome,errors',
      'accounts.csv,2,E1,notes,processed,',
      'accounts.csv,2,E1,transactions,processed,',
      'accounts.csv,3,E2,,nothing_to_add,',
      expect.stringMatching(/^accounts\.csv,4,E3,notes,errored,accounts\.csv row 4.*: account_not_found/),
    ]);
    expect(read('rejected.csv').split('\n')[1]).toMatch(/^E3;/);
    expect(outcome.summary?.additions).toMatchObject({ notes: { added: 1 }, transactions: { added: 1 } });
  });

  it('sends nothing if all rows are wrong, and lists them', async () => {
    write([row('F1', { start: 'x' })]);
    const outcome = await run();
    expect(outcome.submission).toBeUndefined();
    expect(results()[1]).toMatch(/^accounts\.csv,2,F1,,rejected,/);
    expect(connection.uploads).toBe(0);
  });
});
