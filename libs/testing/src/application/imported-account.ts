import {
  type AddedTransactions,
  type AddingOutcome,
  AddTransactions,
  PaymentInstructionRepository,
  ProcessTransactionsRequests,
  type TransactionsOptions,
} from '@portage/accounts';
import { Database } from '@portage/platform';
import { importAccounts } from './import-accounts';
import { scheduleAccount } from './schedule-account';
import { until } from '../until';
import type { TestApplication } from './test-application';

type Body = Record<string, unknown>;

/**
 * Performs transactions requests as one job of a worker does.
 *
 * @returns their outcomes, in the order of `ids`
 * @throws the first transient failure
 */
export async function processRequests(
  test: TestApplication,
  ids: readonly string[],
): Promise<AddingOutcome[]> {
  const results = await test.app.get(ProcessTransactionsRequests).run(ids);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/** An imported account, with a worker for its transactions in the test's process. */
export class ImportedTestAccount {
  private constructor(
    private readonly test: TestApplication,
    readonly number: string,
    readonly id: string,
  ) {}

  static async create(
    test: TestApplication,
    number: string,
    more: object = {},
    idempotencyKey?: string,
  ): Promise<ImportedTestAccount> {
    await scheduleAccount(
      test,
      test.caller,
      { import_supplier: 'LEGACY', external_account_number: number, ...more },
      idempotencyKey,
    );
    await importAccounts(test, number);
    return ImportedTestAccount.find(test, number);
  }

  /** An account that has been imported. */
  static async find(test: TestApplication, number: string): Promise<ImportedTestAccount> {
    const [row] = await test.sql<{ id: string }>(
      'SELECT id FROM account WHERE external_account_number = $1',
      [number],
    );
    return new ImportedTestAccount(test, number, row!.id);
  }

  /** Moves the open statement period to `start` until `end`. */
  async withOpenPeriod(start: string, end: string): Promise<this> {
    await this.sql(
      'UPDATE statement_period SET end_date = $2::date - 1 WHERE account_id = $1 AND position = 0',
      [start],
    );
    await this.sql(
      'UPDATE statement_period SET start_date = $2, end_date = $3 WHERE account_id = $1 AND closed_at IS NULL',
      [start, end],
    );
    return this;
  }

  /** Runs a query in which $1 is the id of the account. */
  async sql<Row = unknown>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.test.sql<Row>(text, [this.id, ...values]);
  }

  /** Sends transactions as the API does. No worker processes them. */
  async send(
    transactions: readonly object[],
    options: Partial<TransactionsOptions> & { key?: string; more?: Body } = {},
  ): Promise<AddedTransactions> {
    const { key, more, ...given } = options;
    return this.test.app.get(AddTransactions).add(
      this.test.caller,
      {
        import_supplier: 'LEGACY',
        external_account_number: this.number,
        transactions: JSON.parse(JSON.stringify(transactions)) as unknown,
        ...more,
      },
      { checkPreviouslyAdded: true, forceAddToCurrentStatement: true, ...given },
      key,
    );
  }

  /** Sends transactions and processes them. */
  async add(...request: Parameters<ImportedTestAccount['send']>): Promise<AddedTransactions> {
    let isDone = false;
    const answer = this.send(...request).finally(() => {
      isDone = true;
    });
    await Promise.all([answer.catch(() => undefined), this.processPending(() => isDone)]);
    return answer;
  }

  /** Sends requests, waits until `distinct` of them are stored, and processes those at once, each one twice. */
  async addConcurrently(
    requests: readonly Parameters<ImportedTestAccount['send']>[],
    distinct: number,
  ): Promise<AddedTransactions[]> {
    let areDone = false;
    const answers = Promise.all(requests.map(async (request) => this.send(...request)));
    const settled = answers.finally(() => {
      areDone = true;
    });
    let ids: string[] = [];
    await until(
      async () => {
        ids = await this.pending();
        return ids.length === distinct;
      },
      () => `${ids.length} requests`,
    );
    await Promise.all([ids, ...ids.map((id) => [id])].map(async (job) => processRequests(this.test, job)));
    // A request that arrives after an equal one was processed is stored again.
    await Promise.all([settled.catch(() => undefined), this.processPending(() => areDone)]);
    return answers;
  }

  /** Processes pending requests until there is an answer. */
  private async processPending(isDone: () => boolean): Promise<void> {
    await until(async () => {
      for (const id of await this.pending()) await processRequests(this.test, [id]);
      return isDone();
    }, 'no answer');
  }

  /** Waits for a pending request, and fails after 20 seconds without one. */
  async waitForPending(): Promise<string> {
    let id: string | undefined;
    await until(async () => ([id] = await this.pending()).length > 0, 'no request is pending');
    return id!;
  }

  /** Ids of the pending requests, the oldest first. */
  async pending(): Promise<string[]> {
    const rows = await this.sql<{ id: string }>(
      `SELECT id FROM account_request WHERE account_id = $1 AND status = 'PENDING' ORDER BY id`,
    );
    return rows.map(({ id }) => id);
  }

  /** Writes a payment instruction as the worker does that has got the confirmation of the vendor. */
  async activate(
    reference: string,
    more: { actor?: string; customerReference?: string; details?: Record<string, unknown> } = {},
  ): Promise<void> {
    await this.test.app.get(PaymentInstructionRepository).activate(
      this.test.app.get(Database),
      { accountId: this.id, type: 'CARD', ledgerCodes: [''] },
      {
        vendor: 'STRIPE',
        reference,
        ledgerCode: '',
        customerReference: undefined,
        details: {},
        actor: this.test.caller.actor,
        ...more,
      },
    );
  }

  async balances(): Promise<string[]> {
    const rows = await this.sql<{ balance: string }>(
      'SELECT balance FROM ledger WHERE account_id = $1 ORDER BY position',
    );
    return rows.map(({ balance }) => balance);
  }

  async transactions(): Promise<StoredTransaction[]> {
    return this.sql<StoredTransaction>(
      `SELECT transaction_id, type, amount, transaction_date::text, original_date::text, adjustment, reason, details,
        ledger_position FROM transaction WHERE account_id = $1 ORDER BY id`,
    );
  }

  async notes(): Promise<{ body: string; is_pinned: boolean }[]> {
    return this.sql('SELECT body, is_pinned FROM note WHERE account_id = $1 ORDER BY id');
  }
}

export interface StoredTransaction {
  transaction_id: string;
  type: string;
  amount: string;
  transaction_date: string;
  original_date: string | null;
  adjustment: string | null;
  reason: string | null;
  details: Record<string, unknown>;
  ledger_position: number;
}

/** A transaction in the format of a request. */
export const payment = (id: string, amount: number | string = 10, date = '2024-06-15') => ({
  transaction_id: id,
  transaction_date: date,
  type: 'PAYMENT',
  amount,
});

export const supplyCharge = (id: string, point: string | undefined, first: string, last: string) => ({
  transaction_id: id,
  transaction_date: '2024-06-15',
  type: 'SUPPLY_CHARGE',
  amount: '5.00',
  product_code: 'HOME-VAR',
  ...(point !== undefined && { supply_point_identifier: point }),
  line_items: [
    {
      rate_band: 'STANDING_CHARGE',
      start_date: first,
      end_date: last,
      number_of_units: '10',
      net_amount: '5.00',
    },
  ],
});
