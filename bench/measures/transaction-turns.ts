import { typicalBook } from '../book';
import type { Installation } from '../environment/installation';
import { portage } from '../environment/program';
import type { RunningProgram } from '../environment/running-program';
import { SUPPLIER } from '../environment/servers';
import type { ScriptRunner } from '../environment/sql-script';
import { figure } from '../results';
import {
  type PostedTransaction,
  type PostingGround,
  postTransactions,
} from '../yardsticks/by-hand/post-transactions';
import { askingTurn, turnSeconds } from './answers';
import { post } from './book-import';
import type { Turn } from './in-turns';
import type { Bench } from './measure';

export const CONNECTIONS = 16;

/** So many that two requests at the same time are hardly ever for the same one. */
const ACCOUNTS = 1_000;

/** What one turn has found: how fast requests were done. */
export interface Posting {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds; NaN where nobody has looked. */
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds of processor time a request. */
  readonly times: { readonly api: number; readonly worker: number; readonly postgres: number };
}

/** What transactions are sent to. */
export interface PostingBench {
  readonly bench: Bench;
  readonly installation: Installation;
  readonly running: RunningProgram;
  readonly accounts: PostingGround & {
    readonly numbers: readonly string[];
    /** In the open statement period of all of them. */
    readonly day: string;
  };
}

/** Imports the accounts that transactions are for. */
export async function importAccounts(
  bench: Bench,
  installation: Installation,
  running: RunningProgram,
): Promise<PostingBench['accounts']> {
  const count = bench.isQuick ? 100 : ACCOUNTS;
  await post(running, typicalBook(count, SUPPLIER));
  await installation.allProcessed(count);
  const [found] = await installation.sql<PostingBench['accounts'] & { until: string }>(`
    SELECT min(organisation_id) AS "organisationId", min(account.id)::integer AS "firstAccount",
      max(account.id)::integer AS "lastAccount", array_agg(DISTINCT external_account_number) AS numbers,
      max(start_date)::text AS day, min(end_date)::text AS until
    FROM account
    JOIN import_supplier supplier ON supplier.id = supplier_id
    JOIN statement_period period ON period.account_id = account.id AND closed_at IS NULL`);
  if (!found || found.lastAccount - found.firstAccount + 1 !== count || found.day > found.until)
    throw new Error('The accounts are not what the transactions are made for.');
  return found;
}

/** Requests with so many transactions each: through Portage, and as SQL by hand. */
export async function turnsOf(
  size: number,
  given: PostingBench,
  runner: ScriptRunner,
): Promise<[service: Turn<Posting>, sql: Turn<Posting>]> {
  const posted = Array.from({ length: size }, (_, index) => transaction(index, given.accounts.day));
  return [await serviceTurn(given, posted), sqlTurn(given, posted, runner)];
}

export function nameOf(contender: string, size: number): string {
  return `${contender}, ${size.toLocaleString('en')} a request`;
}

function transaction(index: number, day: string): PostedTransaction {
  const common = { transaction_id: `T-${index}`, transaction_date: day };
  const charge = { ...common, type: 'CHARGE', amount: 61.25, reason: 'IMPORTED_CHARGE' };
  if (index % 3 === 1) return { ...charge, display_note: `Bill ${index}` };
  const payment = { ...common, type: 'PAYMENT', amount: 40.5, reason: 'ACCOUNT_CHARGE_PAYMENT' };
  return { ...payment, payment_type: 'DD_REGULAR_COLLECTION', reference: `DDM-77120-${index}` };
}

async function serviceTurn(
  { bench, installation, running, accounts: { numbers } }: PostingBench,
  posted: readonly PostedTransaction[],
): Promise<Turn<Posting>> {
  const size = posted.length;
  const body = JSON.stringify({
    import_supplier: SUPPLIER,
    external_account_number: '#account',
    transactions: posted.map((one) => ({ ...one, transaction_id: `${one.transaction_id}-#request` })),
  });
  const asking = await askingTurn(bench, {
    name: nameOf(portage.name, size),
    ...{ running, connections: CONNECTIONS, status: 201 },
    request: (nth) => ({
      method: 'POST',
      path: '/v1/data-import/transactions/create/',
      body: body
        .replace('#account', numbers[nth % numbers.length] ?? '')
        .replaceAll('#request', `${size}-${nth}`),
    }),
  });
  return turn(asking.name, installation, size, async () => {
    const { load, times } = await asking.run();
    const { perSecond, latency, answers } = load;
    return { requests: answers[201] ?? 0, perSecond, p50: latency.p50, p99: latency.p99, times };
  });
}

function sqlTurn(
  { bench, installation, running, accounts }: PostingBench,
  posted: readonly PostedTransaction[],
  runner: ScriptRunner,
): Turn<Posting> {
  const script = postTransactions(posted, accounts);
  return turn(nameOf('SQL', posted.length), installation, posted.length, async () => {
    const before = running.processorTimes().postgres;
    const { databaseUrl } = installation;
    const { count, perSecond } = await runner.run(databaseUrl, script, CONNECTIONS, turnSeconds(bench));
    const postgres = (running.processorTimes().postgres - before) / count;
    return { requests: count, perSecond, p50: NaN, p99: NaN, times: { api: 0, worker: 0, postgres } };
  });
}

/** A turn that must leave as many transactions as it says. */
function turn(
  name: string,
  installation: Installation,
  size: number,
  work: () => Promise<Posting>,
): Turn<Posting> {
  const stored = async () => {
    const [row] = await installation.sql<{ count: number }>(
      'SELECT count(*)::integer AS count FROM transaction',
    );
    return row?.count ?? NaN;
  };
  const run = async () => {
    const before = await stored();
    const posting = await work();
    const added = (await stored()) - before;
    if (added === posting.requests * size) return posting;
    throw new Error(`${name}: ${posting.requests} requests have added ${added} transactions.`);
  };
  return { name, run, tell: ({ perSecond }) => `${figure(perSecond)} requests/s` };
}
