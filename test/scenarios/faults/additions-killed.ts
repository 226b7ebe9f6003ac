import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '@portage/testing/installation';
import { SandboxVendors } from '@portage/local-environment';
import { importBook } from '../import-book';
import { killInTurns, LastingImporter, readSubmission, writeBook } from '../importer';
import { type Scenario, seconds } from '../scenario';

const KEY = 'addition';
const SIZES = {
  short: { accounts: 100, kills: 1, pauseMs: 0, timeoutMs: 60_000 },
  full: { accounts: 6_000, kills: 6, pauseMs: 200, timeoutMs: 300_000 },
} as const;

/** Each account gets this many notes and transactions, one a line, in this order. */
const ROUNDS = 5;

/** Every tenth account gets a payment instruction. */
const INSTRUCTED_SHARE = 10;

export default {
  title: 'the importer and in turns API and worker are killed while a book of additions is sent',
  minutes: 4,
  isShort: ['postgres'],
  run: async (run) => {
    const size = SIZES[run.size];
    const { accounts, timeoutMs } = size;
    const vendors = await SandboxVendors.start();
    run.atEnd(async () => vendors.stop());
    const installation = await run.install({
      postgres: {},
      waits: run.size === 'short' ? 'quick' : 'default',
      env: {
        ...vendors.settings,
        PAYMENT_INSTRUCTIONS_PER_SECOND: '200',
      },
    });
    const { book } = await importBook(run, installation, { key: KEY, size: accounts, timeoutMs });
    const numbers = [...book.keys()];
    const before = await readBalances(installation);
    const lines = additionsOf(numbers);
    const importer = new LastingImporter(installation, [
      ...['--file', await writeBook(installation, 'additions', lines)],
      ...['--kind', 'additions', '--reference', 'additions'],
    ]);
    const startedAt = Date.now();
    const watch = watchBalances(installation);
    const waiting = `submission_addition WHERE status IN ('PENDING', 'IN_PROGRESS')`;
    const struck = await killInTurns(installation, importer, waiting, { ...size, apiEvery: 3 });
    await importer.ended;
    const elapsed = Date.now() - startedAt;
    const { readings, wrong } = await watch.stop();
    const { counts, reconciled } = await readSubmission(installation, 'additions');
    const added = await readAdded(installation);
    const expected = expectedOf(numbers);
    const [lost, doubled] = [missingOf(expected, added), missingOf(added, expected)];
    run.say(
      `${struck} and ${importer.kills} kills, ${readings} readings, ${JSON.stringify(counts)}, ${seconds(elapsed)}`,
    );
    expect({ lost: lost.length, doubled: doubled.length, wrong, reconciled }).toEqual({
      lost: 0,
      doubled: 0,
      wrong: 0,
      reconciled: true,
    });
    expect(counts).toMatchObject({ received: lines.length, processed: lines.length });
    expect(importer.kills).toBeGreaterThan(0);
    const after = await readBalances(installation);
    // Each transaction is a payment of one unit.
    expect(after - before).toBe(accounts * ROUNDS);
    return {
      times: struck,
      affected: `${readings} readings meanwhile`,
      sent: lines.length,
      lost: lost.length,
      doubled: doubled.length,
      'recovered after': seconds(elapsed),
    };
  },
} satisfies Scenario;

const named = (number: string) => ({ import_supplier: 'LEGACY', external_account_number: number });
const idOf = (number: string, round: number) => `${number}-${round}`;

/** The lines of all accounts, round by round: an account's lines are far apart. */
function additionsOf(numbers: readonly string[]): object[] {
  const date = new Date().toISOString().slice(0, 10);
  const rounds = Array.from({ length: ROUNDS }, (_, round) =>
    numbers.flatMap((number) => [
      { notes: { ...named(number), notes: [{ body: idOf(number, round) }] } },
      {
        transactions: {
          ...named(number),
          transactions: [
            {
              transaction_id: idOf(number, round),
              type: 'PAYMENT',
              amount: '1.00',
              transaction_date: date,
              ledger_code: 'MAIN',
            },
          ],
        },
      },
    ]),
  );
  const instructions = instructed(numbers).map((number, index) => ({
    payment_instruction: {
      ...named(number),
      vendor: 'STRIPE',
      type: 'CARD',
      reference: `pm_sandboxVisa${String(index).padStart(4, '0')}`,
    },
  }));
  return [...instructions, ...rounds.flat()];
}

const instructed = (numbers: readonly string[]) =>
  numbers.filter((_number, index) => index % INSTRUCTED_SHARE === 0);

/** What the accounts must have afterwards, in the order of each account. */
function expectedOf(numbers: readonly string[]): string[] {
  const ids = numbers.flatMap((number) => Array.from({ length: ROUNDS }, (_, round) => idOf(number, round)));
  return [
    ...ids.map((id) => `note ${id}`),
    ...ids.map((id) => `transaction ${id}`),
    ...instructed(numbers).map((number) => `instruction ${number}`),
  ];
}

async function readAdded(installation: Installation): Promise<string[]> {
  const rows = await installation.sql<{ added: string }>(
    `SELECT 'note ' || body AS added FROM note WHERE actor IS NOT NULL
     UNION ALL SELECT 'transaction ' || transaction_id FROM transaction WHERE actor IS NOT NULL
     UNION ALL SELECT 'instruction ' || external_account_number FROM payment_instruction
       JOIN account ON account.id = account_id WHERE verified_at IS NOT NULL AND is_active`,
  );
  return rows.map(({ added }) => added);
}

/** What occurs in one list more often than in the other. */
function missingOf(all: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const one of others) counts.set(one, (counts.get(one) ?? 0) + 1);
  return all.filter((one) => {
    const left = counts.get(one) ?? 0;
    counts.set(one, left - 1);
    return left <= 0;
  });
}

const PAID = `SELECT account_id, sum(amount) AS paid, count(*) AS payments FROM transaction
  WHERE actor IS NOT NULL GROUP BY account_id`;

/** Reads all balances again and again, and counts those that are not the sum of what was sent and added. */
function watchBalances(installation: Installation): { stop(): Promise<{ readings: number; wrong: number }> } {
  let isRunning = true;
  let readings = 0;
  let wrong = 0;
  const watching = (async () => {
    const [first] = await installation.sql<{ balances: Record<string, string> }>(
      `SELECT json_object_agg(account_id, balance) AS balances FROM ledger WHERE position = 0`,
    );
    while (isRunning) {
      const rows = await installation.sql<{ account: string; own: string }>(
        `SELECT ledger.account_id AS account, (balance - coalesce(paid, 0))::text AS own
         FROM ledger LEFT JOIN (${PAID}) AS added USING (account_id) WHERE position = 0`,
      );
      wrong += rows.filter(({ account, own }) => Number(first!.balances[account]) !== Number(own)).length;
      readings += 1;
      await sleep(50);
    }
  })();
  return {
    stop: async () => {
      isRunning = false;
      await watching;
      return { readings, wrong };
    },
  };
}

async function readBalances(installation: Installation): Promise<number> {
  const [row] = await installation.sql<{ sum: number }>('SELECT sum(balance)::float8 AS sum FROM ledger');
  return row!.sum;
}
