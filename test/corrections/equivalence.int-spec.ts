import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountTables, AddHistoricalStatements, AddNotes } from '@portage/accounts';
import { AccountRemovalRepository, CorrectAccount, ImportAccounts, ValidateAccount } from '@portage/imports';
import { Database } from '@portage/platform';
import { ImportSuppliers } from '@portage/tenants';
import {
  ImportedTestAccount,
  scheduleAccount,
  useApplication,
  WITHOUT_CACHES,
} from '@portage/testing/application';
import { seededRandom } from '@portage/testing/installation';
import { EXAMPLE, FIRST_FAULTY_SERIAL, SampleText, serialOf } from '@portage/testing/sample-book';

/*
 * For accounts A and B of the same number, and additions between them: A that is corrected to B has the same rows as B that
 * is imported, with the same additions. Ids, times and the positions of ledgers may differ. A correction that is refused has
 * a code that the rules give, and leaves every row as it was. CORRECTIONS_SEED repeats a run.
 */

const PAIRS = Number(process.env['CORRECTIONS_PAIRS'] ?? 40);

/** What a correction may be refused for. */
const REFUSALS: ReadonlySet<string> = new Set([
  'ledger_has_additions',
  'statement_period_has_additions',
  'historical_statement_already_exists',
]);

const EXAMPLES = readFileSync(join(__dirname, '../../examples/book.ndjson'), 'utf8')
  .trimEnd()
  .split('\n')
  .filter((line) => serialOf(line) < FIRST_FAULTY_SERIAL)
  .map((line) => new SampleText(line, { ...EXAMPLE, serial: serialOf(line) }));

type Json = Record<string, unknown>;

/** Columns that say where and when a row is, and not what it says. */
const UNCOMPARED = [
  'id',
  'account_id',
  'created_at',
  'enqueued_at',
  'closed_at',
  'inspected_at',
  'actor',
  'state',
  'position',
  'ledger_position',
];

describe('an account that is corrected', () => {
  const test = useApplication('postgres', {}, WITHOUT_CACHES);
  const seed = Number(process.env['CORRECTIONS_SEED'] ?? Date.now() % 2 ** 31);
  const random = seededRandom(seed);
  /** The examples that a supplier without lists of codes accepts. */
  const valid: number[] = [];
  const below = (limit: number) => Math.floor(random() * limit);

  beforeAll(async () => {
    await test.app.get(ImportSuppliers).set('LEGACY', { profile: 'gb-energy' });
    const validation = test.app.get(ValidateAccount);
    for (const [example] of EXAMPLES.entries()) {
      const { errorCount } = await validation.validate(
        test.organisationId,
        payloadOf(example, example),
        false,
      );
      if (errorCount === 0) valid.push(example);
    }
    expect(valid.length).toBeGreaterThan(100);
  });

  const payloadOf = (example: number, serial: number): Json => {
    const text = (EXAMPLES[example] as SampleText).under({ supplier: 'LEGACY', seed: 1, serial });
    const sent = JSON.parse(text) as Json;
    return (sent['payload'] ?? sent) as Json;
  };

  async function importAccount(payload: Json): Promise<ImportedTestAccount> {
    await scheduleAccount(test, test.caller, payload);
    await run(String(payload['external_account_number']));
    return ImportedTestAccount.find(test, String(payload['external_account_number']));
  }

  async function run(number: string) {
    const [job] = await test.sql<{ processId: string; version: number }>(
      `SELECT id AS "processId", version FROM import_process WHERE external_account_number = $1`,
      [number],
    );
    return (await test.app.get(ImportAccounts).import([job!], { isFirstRun: true }))[0]!;
  }

  /** Adds what does not depend on the account that it is added to. */
  async function add(account: ImportedTestAccount, additions: Additions): Promise<void> {
    const { organisationId, actor } = test.caller;
    const of = { import_supplier: 'LEGACY', external_account_number: account.number };
    if (additions.transactions.length > 0) await account.add(additions.transactions).catch(() => undefined);
    for (const note of additions.notes)
      await test.app.get(AddNotes).add({ organisationId, actor, body: { ...of, notes: [note] } });
    for (const statement of additions.statements)
      await test.app.get(AddHistoricalStatements).add({
        organisationId,
        actor,
        body: { ...of, statements: [statement] },
      });
  }

  interface Additions {
    transactions: Json[];
    notes: Json[];
    statements: Json[];
  }

  function newAdditions(pair: number, payload: Json): Additions {
    const ledgers = (payload['ledgers'] ?? []) as { ledger_code?: string }[];
    const ledger = ledgers[below(ledgers.length)];
    const list = (make: (nth: number) => Json) => Array.from({ length: below(3) }, (_, nth) => make(nth));
    return {
      // Most corrections of an account with added transactions are refused, if little of it is the same.
      transactions: (random() < 0.3 ? list : () => [])((nth) => ({
        transaction_id: `ADDED-${pair}-${nth}`,
        type: 'PAYMENT',
        amount: `${1 + below(90)}.25`,
        transaction_date: new Date().toISOString().slice(0, 10),
        ...(ledger?.ledger_code && { ledger_code: ledger.ledger_code }),
      })),
      notes: list((nth) => ({ body: `Added ${pair} ${nth}.` })),
      statements: list((nth) => ({
        statement_id: `ADDED-${pair}-${nth}`,
        bill_period_from_date: '2020-01-01',
        bill_period_to_date: '2020-02-01',
      })),
    };
  }

  /** All rows of an account, in an order that does not depend on when they were written. */
  async function rowsOf(number: string): Promise<Record<string, string[]>> {
    const [account] = await test.sql<{ row: Json; id: string }>(
      `SELECT id, to_json(account) AS row FROM account WHERE external_account_number = $1`,
      [number],
    );
    const omit = ['number', 'process_id', 'payload_erased_at', ...UNCOMPARED];
    const rows: Record<string, string[]> = { account: [withoutColumns(account!.row, omit)] };
    for (const table of accountTables) {
      const ledgerCode =
        table === 'transaction' || table === 'statement_period'
          ? `, (SELECT ledger_code FROM ledger WHERE account_id = part.account_id AND position = part.ledger_position) AS ledger`
          : '';
      const found = await test.sql<{ row: Json; ledger?: string; added: boolean }>(
        `SELECT to_json(part) AS row, to_json(part) ->> 'actor' IS NOT NULL AS added${ledgerCode}
         FROM "${table}" part WHERE account_id = $1`,
        [account!.id],
      );
      const omitted = ['ledger', 'statement_period', 'transaction'].includes(table)
        ? UNCOMPARED
        : UNCOMPARED.filter((column) => column !== 'position');
      rows[table] = found
        .map(({ row, ledger, added }) => `${ledger ?? ''} ${added} ${withoutColumns(row, omitted)}`)
        .toSorted();
    }
    return rows;
  }

  function withoutColumns(row: Json, omitted: readonly string[]): string {
    return JSON.stringify(
      Object.fromEntries(
        Object.entries(row)
          .filter(([name]) => !omitted.includes(name))
          .toSorted(([one], [other]) => (one < other ? -1 : 1)),
      ),
    );
  }

  async function remove(account: ImportedTestAccount): Promise<void> {
    await test.sql('DELETE FROM account_request WHERE account_id = $1', [account.id]);
    await test.sql('DELETE FROM idempotency_key WHERE account_id = $1', [account.id]);
    await test.app
      .get(Database)
      .transaction(async (executor) =>
        test.app.get(AccountRemovalRepository).remove(executor, [account.id], 'ROLLED_BACK', 'operator:test'),
      );
  }

  it(
    `has the rows of one that is imported so: seed ${seed}`,
    async () => {
      const outcomes: Record<string, number> = {};
      for (let pair = 0; pair < PAIRS; pair += 1) {
        const serial = 1_000 + pair;
        const [first, second] = [valid[below(valid.length)]!, valid[below(valid.length)]!];
        const [before, after] = [payloadOf(first, serial), payloadOf(second, serial)];
        const additions = newAdditions(pair, before);
        const label = `CORRECTIONS_SEED=${seed}, pair ${pair}: from example ${first} to ${second}`;
        const account = await importAccount(before);
        await add(account, additions);
        const earlier = await rowsOf(account.number);
        const { isScheduled } = await test.app
          .get(CorrectAccount)
          .correct(
            test.caller,
            'LEGACY',
            (before['external_identifier'] as string | undefined) ?? account.number,
            {
              body: { payload: after },
              ifMatch: undefined,
            },
          );
        expect([label, isScheduled]).toEqual([label, first !== second]);
        if (!isScheduled) continue;
        const outcome = await run(account.number);
        const code = outcome.kind === 'errored' ? outcome.code : outcome.kind;
        outcomes[code] = (outcomes[code] ?? 0) + 1;
        const corrected = await rowsOf(account.number);
        if (outcome.kind === 'errored') {
          expect([label, REFUSALS.has(code) || code]).toEqual([label, true]);
          expect([label, corrected]).toEqual([label, earlier]);
          continue;
        }
        expect([label, outcome.kind]).toEqual([label, 'corrected']);
        await remove(account);
        const imported = await importAccount(after);
        await add(imported, additions);
        expect([label, corrected]).toEqual([label, await rowsOf(imported.number)]);
      }
      // Most pairs are corrected: a suite of refusals would show nothing.
      expect(outcomes['corrected']).toBeGreaterThan(PAIRS / 4);
      process.stdout.write(`Corrections: ${JSON.stringify(outcomes)}\n`);
    },
    60_000 + PAIRS * 2_000,
  );
});
