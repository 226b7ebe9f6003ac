import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SandboxVendors } from '@portage/local-environment';
import type { Client } from 'pg';
import { BookSource } from '../book';
import { Contender, portage, SUPPLIER } from '../contender';
import { requireStatus } from '../load';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { CONNECTIONS, packBook, uploadBook, warmUp } from './import';
import { interleave } from './interleave';
import type { Bench, Findings, Measure } from './measure';

/** Transactions of an account in the book that is compared with hand-written SQL, and rows of one of its statements. */
const TRANSACTIONS = 20;
const ROWS_OF_STATEMENT = 1_000;

/** Requests that the code of both sides has performed before it is measured. */
const WARM_UP = { accounts: 500, whenQuick: 20 };

const POLL_INTERVAL_MS = 20;

/** The endpoint of each kind of line. Payment instructions are asked of vendors, at a rate that is not limited here. */
const ENDPOINTS = {
  notes: 'notes',
  transactions: 'transactions',
  historical_statements: 'historical-statements',
  payment_instruction: 'payment-instruction',
} as const;

type Kind = keyof typeof ENDPOINTS;
const KINDS = Object.keys(ENDPOINTS) as Kind[];
const WITHOUT_VENDOR = KINDS.filter((kind) => kind !== 'payment_instruction');

/** Requests or transactions a second. */
interface Rates {
  singles: number;
  book: number;
  singleInstructions: number;
  bookOfInstructions: number;
  transactions: number;
  sql: number;
}

/** Books of additions against the same requests sent singly, and against hand-written SQL. */
export const additions: Measure = {
  name: 'additions',
  title: 'Additions by the book against single requests and hand-written SQL',
  minutes: 10,
  async run(bench: Bench): Promise<Findings> {
    const runs = await interleave(bench, [
      {
        name: 'additions',
        run: async () => measure(bench),
        summarize: ({ singles, book }: Rates) =>
          `single ${formatFigure(singles)}, book ${formatFigure(book)} requests/s`,
      },
    ]);
    const rates = [...runs.values()].flat();
    const of = (name: keyof Rates) => rates.map((rate) => rate[name]);
    const ratio = (one: keyof Rates, other: keyof Rates) =>
      median(rates.map((rate) => rate[one] / rate[other]));
    return {
      load:
        `A request of each kind for ${bench.accounts.toLocaleString('en')} accounts, over ${CONNECTIONS} connections or in one upload, queue in ${bench.backends[0]}, one worker. ` +
        `The vendors of payment instructions answer at once, and their rate is not limited. ` +
        `The hand-written SQL adds ${ROWS_OF_STATEMENT.toLocaleString('en')} transactions with each statement over one connection, without any check.`,
      tables: [
        {
          columns: ['', 'requests/s'],
          rows: [
            ['notes, transactions and statements, sent singly', formatFigures(of('singles'))],
            ['the same as a book', formatFigures(of('book'))],
            ['payment instructions, sent singly', formatFigures(of('singleInstructions'))],
            ['the same as a book', formatFigures(of('bookOfInstructions'))],
          ],
        },
        {
          columns: ['', 'transactions/s'],
          rows: [
            [`a book with ${TRANSACTIONS} transactions in each line`, formatFigures(of('transactions'))],
            ['hand-written SQL', formatFigures(of('sql'))],
          ],
        },
      ],
      goals: [
        {
          name: 'a book of additions against single requests',
          measured: ratio('book', 'singles'),
          atLeast: 5,
        },
        {
          name: 'transactions of a book against hand-written SQL',
          measured: ratio('transactions', 'sql'),
          atLeast: 0.6,
        },
      ],
    };
  },
};

async function measure(bench: Bench): Promise<Rates> {
  const vendors = await SandboxVendors.start();
  const contender = await Contender.start(portage, {
    backend: bench.backends[0],
    workers: 1,
    env: { ...vendors.settings, PAYMENT_INSTRUCTIONS_PER_SECOND: '10000' },
  });
  try {
    await warmUp(contender, new BookSource(SUPPLIER).next(bench.accounts));
    const { numbers, day } = await readAccounts(contender);
    const few = numbers.slice(0, bench.isQuick ? WARM_UP.whenQuick : WARM_UP.accounts);
    await sendSingly(contender, linesOf(few, KINDS, day, 'warm-up'));
    await sendBook(contender, linesOf(few, KINDS, day, 'warm-up-book'), 'warm-up');
    const singles = await sendSingly(contender, linesOf(numbers, WITHOUT_VENDOR, day, 'single'));
    const book = await sendBook(contender, linesOf(numbers, WITHOUT_VENDOR, day, 'book'), 'book');
    const instructions = (run: string) => linesOf(few, ['payment_instruction'], day, run);
    const singleInstructions = await sendSingly(contender, instructions('single'));
    const bookOfInstructions = await sendBook(contender, instructions('book'), 'instructions');
    const many = numbers.map((number) => lineOf('transactions', number, day, 'many', TRANSACTIONS));
    const transactions = TRANSACTIONS * (await sendBook(contender, many, 'transactions'));
    let sql = NaN;
    await contender.withClient(async (client) => {
      sql = await addBySql(client, day);
    });
    return { singles, book, singleInstructions, bookOfInstructions, transactions, sql };
  } finally {
    await contender.stop();
    await vendors.stop();
  }
}

/** One line of a book of additions. */
type Line = Readonly<Partial<Record<Kind, object>>>;

function linesOf(numbers: readonly string[], kinds: readonly Kind[], day: string, run: string): Line[] {
  return kinds.flatMap((kind) => numbers.map((number) => lineOf(kind, number, day, run)));
}

/** @param run a part of all identifiers, so that each run adds something */
function lineOf(kind: Kind, number: string, day: string, run: string, transactions = 1): Line {
  const account = { import_supplier: SUPPLIER, external_account_number: number };
  switch (kind) {
    case 'notes':
      return { notes: { ...account, notes: [{ body: `Prefers letters (${run}).`, external_id: run }] } };
    case 'transactions': {
      const payments = Array.from({ length: transactions }, (_, nth) => ({
        transaction_id: `${run}-${nth}`,
        transaction_date: day,
        type: 'PAYMENT',
        amount: '40.50',
        reason: 'ACCOUNT_CHARGE_PAYMENT',
        payment_type: 'DD_REGULAR_COLLECTION',
      }));
      return { transactions: { ...account, transactions: payments } };
    }
    case 'historical_statements': {
      const statement = {
        statement_id: run,
        bill_period_from_date: '2025-12-01',
        bill_period_to_date: '2025-12-31',
        gross_amount: 1250,
      };
      return { historical_statements: { ...account, statements: [statement] } };
    }
    case 'payment_instruction': {
      const reference = `pm_sandboxVisa${digitsOf(run, number)}`;
      return { payment_instruction: { ...account, vendor: 'STRIPE', type: 'CARD', reference } };
    }
  }
}

/** Digits, which the sandbox of the vendor ignores: each account and run has a reference of its own. */
function digitsOf(run: string, number: string): string {
  return createHash('sha256').update(`${run} ${number}`).digest().readUInt32BE().toString();
}

/** @returns requests a second @throws Error unless each is answered with 201 */
async function sendSingly(contender: Contender, lines: readonly Line[]): Promise<number> {
  const requests = lines.map((line) => {
    const [[kind, body]] = Object.entries(line) as [[Kind, object]];
    return {
      method: 'POST' as const,
      path: `/v1/data-import/${ENDPOINTS[kind]}/create/`,
      body: JSON.stringify(body),
    };
  });
  const load = contender.load(CONNECTIONS);
  try {
    return requireStatus(201, await load.send(requests)).perSecond;
  } finally {
    await load.close();
  }
}

/** @returns lines a second, from the first byte sent to the last line performed @throws Error unless each is performed */
async function sendBook(contender: Contender, lines: readonly Line[], reference: string): Promise<number> {
  const packed = packBook({ payloads: lines.map((line) => Buffer.from(JSON.stringify(line))) });
  const start = performance.now();
  await uploadBook(contender, packed, `additions-${reference}`, { kind: 'additions' });
  for (;;) {
    const [row] = await contender.sql<{ pending: boolean }>(
      `SELECT EXISTS (SELECT FROM submission_addition WHERE status IN ('PENDING', 'IN_PROGRESS')) AS pending`,
    );
    if (row?.pending === false) break;
    await sleep(POLL_INTERVAL_MS);
  }
  const seconds = (performance.now() - start) / 1_000;
  const others = await contender.sql(
    `SELECT status, errors::text, count(*)::integer FROM submission_addition WHERE status <> 'PROCESSED' GROUP BY 1, 2 LIMIT 3`,
  );
  if (others.length > 0) throw new Error(`Not all lines were performed: ${JSON.stringify(others)}.`);
  return lines.length / seconds;
}

/** The accounts, and a day in the open statement period of most of them. */
async function readAccounts(contender: Contender): Promise<{ numbers: string[]; day: string }> {
  const [found] = await contender.sql<{ numbers: string[]; day: string }>(`
    SELECT array_agg(DISTINCT external_account_number) AS numbers,
      (percentile_disc(0.9) WITHIN GROUP (ORDER BY start_date))::text AS day
    FROM account JOIN statement_period period ON period.account_id = account.id AND closed_at IS NULL`);
  if (!found) throw new Error('There are no accounts with an open statement period.');
  return found;
}

/** What a script would do that knows the tables: rows and balances, a commit for each statement, no check of anything. */
async function addBySql(client: Client, day: string): Promise<number> {
  const { rows } = await client.query<{ ids: string[] }>(
    'SELECT array_agg(id::text ORDER BY id) AS ids FROM account',
  );
  const ids = rows[0]?.ids ?? [];
  // As Portage does: without it, the few rows of a new table would be joined by scans.
  await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off');
  const accounts = ROWS_OF_STATEMENT / TRANSACTIONS;
  const start = performance.now();
  for (let first = 0; first < ids.length; first += accounts) {
    const sent = ids
      .slice(first, first + accounts)
      .flatMap((id) => Array.from({ length: TRANSACTIONS }, (_, nth) => [id, `sql-${nth}`] as const));
    // Without a name, so that it is planned for its rows each time.
    await client.query({
      text: `
        WITH added AS (
          INSERT INTO transaction (account_id, ledger_position, period_position, transaction_id, type, amount,
            transaction_date, reason, actor, details)
          SELECT sent.account_id, ledger_position, period.position, sent.id, 'PAYMENT', 40.5, $3, 'ACCOUNT_CHARGE_PAYMENT',
            'script', '{"payment_type": "DD_REGULAR_COLLECTION"}'
          FROM unnest($1::bigint[], $2::text[]) AS sent (account_id, id)
          JOIN statement_period period ON period.account_id = sent.account_id AND ledger_position = 0 AND closed_at IS NULL
          RETURNING account_id, amount
        )
        UPDATE ledger SET balance = balance + total
        FROM (SELECT account_id, sum(amount) AS total FROM added GROUP BY account_id) change
        WHERE ledger.account_id = change.account_id AND position = 0`,
      values: [sent.map(([account]) => account), sent.map(([, id]) => id), day],
    });
  }
  return (ids.length * TRANSACTIONS) / ((performance.now() - start) / 1_000);
}
