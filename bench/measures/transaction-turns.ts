import { typicalBook } from '../book';
import type { Installation } from '../environment/installation';
import { portage } from '../environment/program';
import type { RunningProgram } from '../environment/running-program';
import { SUPPLIER } from '../environment/servers';
import type { ScriptRunner } from '../environment/sql-script';
import { formatFigure } from '../results';
import {
  type PostedTransaction,
  type AccountRange,
  addTransactionsScript,
} from '../yardsticks/by-hand/add-transactions-script';
import { createApiTurn, turnSeconds } from './api-turns';
import { postBook } from './book-import';
import type { Turn } from './interleave';
import type { Bench } from './measure';

export const CONNECTIONS = 16;

/** Enough accounts that two concurrent requests rarely target the same one. */
const ACCOUNTS = 1_000;

/** The result of one turn. */
export interface AddResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds; NaN if not measured. */
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds of CPU time per request. */
  readonly times: { readonly api: number; readonly worker: number; readonly postgres: number };
}

/** The installation and accounts to which transactions are added. */
export interface TransactionBench {
  readonly bench: Bench;
  readonly installation: Installation;
  readonly running: RunningProgram;
  readonly accounts: AccountRange & {
    readonly numbers: readonly string[];
    /** A day in the open statement period of all accounts. */
    readonly day: string;
  };
}

/** Imports the accounts to which transactions are added. */
export async function importAccounts(
  bench: Bench,
  installation: Installation,
  running: RunningProgram,
): Promise<TransactionBench['accounts']> {
  const count = bench.isQuick ? 100 : ACCOUNTS;
  await postBook(running, typicalBook(count, SUPPLIER));
  await installation.allProcessed(count);
  const [found] = await installation.sql<TransactionBench['accounts'] & { until: string }>(`
    SELECT min(organisation_id) AS "organisationId", min(account.id)::integer AS "firstAccount",
      max(account.id)::integer AS "lastAccount", array_agg(DISTINCT external_account_number) AS numbers,
      max(start_date)::text AS day, min(end_date)::text AS until
    FROM account
    JOIN import_supplier supplier ON supplier.id = supplier_id
    JOIN statement_period period ON period.account_id = account.id AND closed_at IS NULL`);
  if (!found || found.lastAccount - found.firstAccount + 1 !== count || found.day > found.until)
    throw new Error('The accounts do not match the transactions.');
  return found;
}

/** Creates the turns of requests with `size` transactions: through Portage, and as a SQL script. */
export async function createTurns(
  size: number,
  transactionBench: TransactionBench,
  runner: ScriptRunner,
): Promise<[service: Turn<AddResult>, sql: Turn<AddResult>]> {
  const transactions = Array.from({ length: size }, (_, index) =>
    transaction(index, transactionBench.accounts.day),
  );
  return [await serviceTurn(transactionBench, transactions), sqlTurn(transactionBench, transactions, runner)];
}

export function nameOf(contender: string, size: number): string {
  return `${contender}, ${size.toLocaleString('en')} per request`;
}

function transaction(index: number, day: string): PostedTransaction {
  const common = { transaction_id: `T-${index}`, transaction_date: day };
  const charge = { ...common, type: 'CHARGE', amount: 61.25, reason: 'IMPORTED_CHARGE' };
  if (index % 3 === 1) return { ...charge, display_note: `Bill ${index}` };
  const payment = { ...common, type: 'PAYMENT', amount: 40.5, reason: 'ACCOUNT_CHARGE_PAYMENT' };
  return { ...payment, payment_type: 'DD_REGULAR_COLLECTION', reference: `DDM-77120-${index}` };
}

async function serviceTurn(
  { bench, installation, running, accounts: { numbers } }: TransactionBench,
  transactions: readonly PostedTransaction[],
): Promise<Turn<AddResult>> {
  const size = transactions.length;
  const body = JSON.stringify({
    import_supplier: SUPPLIER,
    external_account_number: '#account',
    transactions: transactions.map((one) => ({ ...one, transaction_id: `${one.transaction_id}-#request` })),
  });
  const apiTurn = await createApiTurn(bench, {
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
  return turn(apiTurn.name, installation, size, async () => {
    const { load, times } = await apiTurn.run();
    const { perSecond, latency, responses } = load;
    return { requests: responses[201] ?? 0, perSecond, p50: latency.p50, p99: latency.p99, times };
  });
}

function sqlTurn(
  { bench, installation, running, accounts }: TransactionBench,
  transactions: readonly PostedTransaction[],
  runner: ScriptRunner,
): Turn<AddResult> {
  const script = addTransactionsScript(transactions, accounts);
  return turn(nameOf('SQL', transactions.length), installation, transactions.length, async () => {
    const before = running.processorTimes().postgres;
    const { databaseUrl } = installation;
    const { count, perSecond } = await runner.run(databaseUrl, script, CONNECTIONS, turnSeconds(bench));
    const postgres = (running.processorTimes().postgres - before) / count;
    return { requests: count, perSecond, p50: NaN, p99: NaN, times: { api: 0, worker: 0, postgres } };
  });
}

/** A turn that checks the number of added transactions. */
function turn(
  name: string,
  installation: Installation,
  size: number,
  work: () => Promise<AddResult>,
): Turn<AddResult> {
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
  return { name, run, summarize: ({ perSecond }) => `${formatFigure(perSecond)} requests/s` };
}
