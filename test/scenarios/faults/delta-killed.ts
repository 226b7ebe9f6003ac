import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '@portage/testing/installation';
import { importBook } from '../import-book';
import { killInTurns, LastingImporter, readSubmission, writeBook } from '../importer';
import { type Scenario, seconds } from '../scenario';

const KEY = 'delta';
const SIZES = {
  short: { accounts: 400, kills: 1, pauseMs: 0, timeoutMs: 60_000 },
  full: { accounts: 4_000, kills: 6, pauseMs: 100, timeoutMs: 300_000 },
} as const;

/** Every tenth account has a transaction that was added since its import. */
const ADDED_SHARE = 10;

type Account = { customers: { family_name: string }[]; communication_preference?: string };

export default {
  title: 'the importer and in turns API and worker are killed while a corrected book is sent again',
  minutes: 4,
  isShort: ['redis'],
  run: async (run) => {
    const size = SIZES[run.size];
    const { accounts, timeoutMs } = size;
    const installation = await run.install({
      postgres: {},
      waits: run.size === 'short' ? 'quick' : 'default',
    });
    const { book } = await importBook(run, installation, { key: KEY, size: accounts, timeoutMs });
    const balances = await addTransactions(installation, [...book.keys()]);
    const corrected = [...book.values()].map((account) => correct(account as Account));
    const importer = new LastingImporter(installation, [
      ...['--file', await writeBook(installation, 'delta', corrected)],
      ...['--mode', 'create-or-correct', '--reference', 'delta'],
    ]);
    const watch = watchForMixed(installation);
    const startedAt = Date.now();
    const waiting = `import_process_correction WHERE status = 'PENDING'`;
    // The worker more often: it is the one that corrects.
    const struck = await killInTurns(installation, importer, waiting, { ...size, apiEvery: 4 });
    await importer.ended;
    const elapsed = Date.now() - startedAt;
    const { readings, mixed } = await watch.stop();
    const { counts, reconciled } = await readSubmission(installation, 'delta');
    const lost = (await installation.sql<{ number: string }>(UNCORRECTED, [`${KEY}-%`])).length;
    run.say(
      `${struck} and ${importer.kills} kills, ${readings} readings, ${JSON.stringify(counts)}, ${seconds(elapsed)}`,
    );
    expect({ mixed, lost, reconciled }).toEqual({ mixed: 0, lost: 0, reconciled: true });
    expect(counts).toMatchObject({ received: accounts, refused: 0, correction_errored: 0, correcting: 0 });
    // What was added before is there, and in the balances.
    expect(await readBalances(installation)).toEqual(balances);
    expect(readings).toBeGreaterThan(0);
    expect(importer.kills).toBeGreaterThan(0);
    return {
      times: struck,
      affected: `${readings} readings meanwhile`,
      sent: accounts,
      lost,
      doubled: 0,
      'recovered after': seconds(elapsed),
    };
  },
} satisfies Scenario;

/** A name and a section of the account change together. */
function correct(account: Account): Account {
  const customers = account.customers.map((customer) => ({ ...customer, family_name: 'Corrected' }));
  return { ...account, customers, communication_preference: 'PRINT' };
}

/** True for an account of which one part is as before, and the other one as corrected. */
const IS_CORRECTED = `customer.family_name = 'Corrected'`;
const HAS_SECTION = `account.details ->> 'communication_preference' = 'PRINT'`;
const CUSTOMER = 'account JOIN customer ON account_id = account.id AND position = 0';
const MIXED = `${CUSTOMER} WHERE external_account_number LIKE $1
  AND (${IS_CORRECTED}) <> (${HAS_SECTION})`;
const UNCORRECTED = `SELECT external_account_number AS number FROM ${CUSTOMER}
  WHERE external_account_number LIKE $1 AND NOT (${IS_CORRECTED} AND ${HAS_SECTION})`;

/** Reads all accounts again and again, and counts those that are between both payloads. */
function watchForMixed(installation: Installation): { stop(): Promise<{ readings: number; mixed: number }> } {
  let isRunning = true;
  let readings = 0;
  let mixed = 0;
  const watching = (async () => {
    while (isRunning) {
      mixed += await installation.countRows(MIXED, [`${KEY}-%`]);
      readings += 1;
      await sleep(50);
    }
  })();
  return {
    stop: async () => {
      isRunning = false;
      await watching;
      return { readings, mixed };
    },
  };
}

/** Adds a payment to some accounts. @returns the balances afterwards */
async function addTransactions(
  installation: Installation,
  numbers: readonly string[],
): Promise<Record<string, string>> {
  for (const [index, number] of numbers.entries()) {
    if (index % ADDED_SHARE !== 0) continue;
    const { status, text } = await installation.post('/v1/data-import/transactions/create/', {
      ...installation.about(number),
      transactions: [
        {
          transaction_id: `ADDED-${number}`,
          type: 'PAYMENT',
          amount: '1.00',
          transaction_date: new Date().toISOString().slice(0, 10),
          ledger_code: 'MAIN',
        },
      ],
    });
    expect([status, text]).toEqual([201, text]);
  }
  return readBalances(installation);
}

async function readBalances(installation: Installation): Promise<Record<string, string>> {
  const rows = await installation.sql<{ number: string; balance: string }>(
    `SELECT external_account_number || ' ' || ledger.position AS number, balance || ' ' || (
       SELECT count(*) FROM transaction WHERE account_id = account.id AND actor IS NOT NULL
     ) AS balance
     FROM account JOIN ledger ON account_id = account.id WHERE external_account_number LIKE $1`,
    [`${KEY}-%`],
  );
  return Object.fromEntries(rows.map(({ number, balance }) => [number, balance]));
}
