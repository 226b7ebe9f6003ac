import { type Contender, type ProcessorTimes, SUPPLIER, timesPer } from '../contender';
import { requestsFor, requireStatus } from '../load';
import type { Bench } from './measure';

export const CONNECTIONS = 16;

/** Enough accounts that two concurrent requests rarely target the same one. */
const MAX_ACCOUNTS = 1_000;

/** The result of one turn. */
export interface AddedTransactions {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds of CPU time per request. */
  readonly times: ProcessorTimes;
}

/** Sends requests that add transactions to imported accounts. Each request has other transactions. */
export class TransactionsLoad {
  private sent = 0;

  private constructor(
    private readonly contender: Contender,
    private readonly accountNumbers: readonly string[],
    /** In the open statement period of all accounts. */
    private readonly day: string,
  ) {}

  /** Selects stored accounts whose open statement periods have a day in common. */
  static async forStoredAccounts(contender: Contender): Promise<TransactionsLoad> {
    const [found] = await contender.sql<{ numbers: string[] | null; day: string }>(`
      WITH open AS (
        SELECT external_account_number AS number, start_date, end_date
        FROM account JOIN statement_period period ON period.account_id = account.id AND closed_at IS NULL
        ORDER BY account.id LIMIT ${MAX_ACCOUNTS}
      ), day AS (
        SELECT percentile_disc(0.9) WITHIN GROUP (ORDER BY start_date) AS day FROM open
      )
      SELECT array_agg(DISTINCT number) AS numbers, max(day)::text AS day
      FROM open JOIN day ON day BETWEEN start_date AND end_date`);
    if (!found?.numbers) throw new Error('There are no accounts with an open statement period.');
    return new TransactionsLoad(contender, found.numbers, found.day);
  }

  /**
   * Sends requests with `size` transactions for some seconds.
   *
   * @throws Error if a request is refused, or if not all transactions are stored
   */
  async run(size: number, seconds: number): Promise<AddedTransactions> {
    const body = JSON.stringify({
      import_supplier: SUPPLIER,
      external_account_number: '#account',
      transactions: Array.from({ length: size }, (_, index) => transaction(index, this.day)),
    });
    const request = () => {
      const nth = (this.sent += 1);
      const account = this.accountNumbers[nth % this.accountNumbers.length] ?? '';
      return {
        method: 'POST' as const,
        path: '/v1/data-import/transactions/create/',
        body: body.replace('#account', account).replaceAll('#request', String(nth)),
      };
    };
    const stored = await this.storedCount();
    const load = this.contender.load(CONNECTIONS);
    try {
      const before = this.contender.processorTimes();
      const sent = requireStatus(201, await load.send(requestsFor(seconds, request)));
      const requests = sent.responses[201] ?? NaN;
      const times = timesPer(before, this.contender.processorTimes(), requests);
      const added = (await this.storedCount()) - stored;
      if (added !== requests * size)
        throw new Error(`${requests} requests with ${size} transactions have added ${added}.`);
      return { requestsPerSecond: sent.perSecond, p50: sent.latency.p50, p99: sent.latency.p99, times };
    } finally {
      await load.close();
    }
  }

  private async storedCount(): Promise<number> {
    const [row] = await this.contender.sql<{ count: number }>(
      'SELECT count(*)::integer AS count FROM transaction',
    );
    return row?.count ?? NaN;
  }
}

/** The duration of one turn of requests. */
export function turnSeconds({ isQuick }: Pick<Bench, 'isQuick'>): number {
  return isQuick ? 1 : 5;
}

function transaction(index: number, day: string): object {
  const common = { transaction_id: `T-${index}-#request`, transaction_date: day };
  if (index % 3 === 1)
    return {
      ...common,
      type: 'CHARGE',
      amount: 61.25,
      reason: 'IMPORTED_CHARGE',
      display_note: `Bill ${index}`,
    };
  return {
    ...common,
    type: 'PAYMENT',
    amount: 40.5,
    reason: 'ACCOUNT_CHARGE_PAYMENT',
    payment_type: 'DD_REGULAR_COLLECTION',
    reference: `DDM-77120-${index}`,
  };
}
