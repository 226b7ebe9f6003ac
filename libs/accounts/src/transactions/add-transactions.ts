import { Injectable } from '@nestjs/common';
import { type Transaction, TransactionsRequest } from '@portage/account-schema';
import {
  Database,
  type FieldError,
  formatMoney,
  isLarge,
  nextTurn,
  parseMoney,
  PortageError,
} from '@portage/platform';
import type { Caller } from '@portage/tenants';
import { TransactionRepository } from './transaction.repository';
import { AccountRequestDispatcher } from '../requests/account-request-dispatcher';
import { fingerprint } from '../requests/fingerprint';
import { ImportedAccounts } from '../requests/imported-accounts';
import { oldestById, toContract } from './stored-transaction';
import type { TransactionResult } from './transactions.dto';
import {
  type DifferentTransaction,
  mayShareCommit,
  type TransactionsInput,
  type TransactionsOptions,
  type TransactionsOutcome,
} from './transactions-request';

/** The answer to a transactions request. */
export interface AddedTransactions {
  /** In the order of the request. */
  results: TransactionResult[];
  /** True if everything was checked and nothing was added. */
  isDryRun: boolean;
  ignoredFields: string[];
  /** True if a request with the same Idempotency-Key was answered before, and this is its answer. */
  isReplayed: boolean;
}

/**
 * The API's half of a transactions request: validates it and has a worker add the transactions (contract,
 * "Add transactions").
 */
@Injectable()
export class AddTransactions {
  constructor(
    private readonly accounts: ImportedAccounts,
    private readonly requests: AccountRequestDispatcher,
    private readonly transactions: TransactionRepository,
    private readonly database: Database,
  ) {}

  /**
   * Adds all transactions, or none.
   *
   * @throws PortageError with `status: TRANSACTION_IMPORT_ERROR`, `error_detail` and `transaction_data` if a
   * transaction cannot be added; the errors of {@link ImportedAccounts.require} and
   * {@link AccountRequestDispatcher.perform}
   */
  async add(
    { organisationId, actor }: Pick<Caller, 'organisationId' | 'actor'>,
    submittedBody: Record<string, unknown>,
    options: TransactionsOptions,
    idempotencyKey: string | undefined,
  ): Promise<AddedTransactions> {
    const { account, body, supplier, externalAccountNumber, ignoredFields } = await this.accounts
      .require(TransactionsRequest, organisationId, submittedBody)
      .catch((error: unknown) => {
        throw withFailedTransaction(error, submittedBody['transactions']);
      });
    const { checkPreviouslyAdded, forceAddToCurrentStatement } = options;
    const transactions = body.transactions ?? [];
    const isDryRun = body.dry_run ?? false;
    const input: TransactionsInput = {
      transactions,
      checkPreviouslyAdded,
      forceAddToCurrentStatement,
      isDryRun,
    };
    const submitted = (submittedBody['transactions'] ?? []) as Record<string, unknown>[];
    const isLong = isLarge(submittedBody);
    if (isLong) await nextTurn();
    const inputText = JSON.stringify(input);
    if (isLong) await nextTurn();
    const { outcome, isReplayed } = await this.requests.perform(
      {
        organisationId,
        accountId: account.id,
        kind: 'transactions',
        // The submitted transactions and not the parsed ones, because the answer echoes them.
        fingerprint: fingerprint(
          'transactions',
          account.id,
          checkPreviouslyAdded,
          forceAddToCurrentStatement,
          isDryRun,
          submitted,
        ),
        idempotencyKey,
        actor,
        input: inputText,
      },
      { organisationId, supplier: supplier.code, externalAccountNumber },
      mayShareCommit(transactions),
    );
    if (isLong) await nextTurn();
    const results = buildResults(outcome as TransactionsOutcome, submitted, transactions);
    const { different } = outcome as { different?: DifferentTransaction[] };
    if (different) await this.showStored(account.id, different, transactions, results);
    return { results, isDryRun, ignoredFields, isReplayed };
  }

  /** Shows the stored data of transactions that exist with other content. Outcomes hold no data of transactions. */
  private async showStored(
    accountId: string,
    different: readonly DifferentTransaction[],
    transactions: readonly Transaction[],
    results: readonly TransactionResult[],
  ): Promise<void> {
    const idOf = (index: number) => transactions[index]?.transaction_id ?? '';
    const ids = different.map(({ index }) => idOf(index));
    const stored = oldestById(await this.transactions.find(this.database, accountId, ids));
    for (const { index, differences } of different) {
      const result = results[index];
      const found = stored.get(idOf(index));
      if (!result) continue;
      result.differences = differences;
      if (found) result.transaction_data = { ...toContract(found), status: 'TRANSACTION_IMPORT_SUCCESS' };
    }
  }
}

function buildResults(
  outcome: TransactionsOutcome,
  submitted: readonly Record<string, unknown>[],
  transactions: readonly Transaction[],
): TransactionResult[] {
  if (outcome.kind === 'failed')
    throw new PortageError(
      'error',
      'Nothing was added, for a reason on our side that the operator can see in the log.',
    );
  const echoes = submitted.map((transaction, index) => ({
    ...transaction,
    ...identifierIn(transactions[index]),
    ...amountOf(transactions[index]),
  }));
  if (outcome.kind === 'refused') {
    const { index, code, detail } = outcome;
    throw new PortageError(code, detail, importError(detail, echoes[index]));
  }
  const existing = new Set(outcome.existing);
  const results = echoes.map((echo, index): TransactionResult =>
    existing.has(index)
      ? {
          status: 'TRANSACTION_ALREADY_EXISTS',
          transaction_data: { ...echo, status: 'TRANSACTION_IMPORT_SUCCESS' },
        }
      : { status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: echo },
  );
  for (const [date, indexes] of Object.entries(outcome.moved ?? {}))
    for (const index of indexes)
      Object.assign(results[index] ?? {}, {
        moved_from: transactions[index]?.transaction_date,
        moved_to: date,
      });
  return results;
}

/** The identifier in the spelling that is stored, by which a repeated transaction is found. */
function identifierIn(transaction: Transaction | undefined): { transaction_id?: string } {
  return transaction ? { transaction_id: transaction.transaction_id } : {};
}

/** The amount in the format of responses; empty if it is not a valid amount. */
function amountOf({ amount }: { amount?: unknown } = {}): { amount?: string } {
  const text = typeof amount === 'number' ? String(amount) : amount;
  const money = typeof text === 'string' ? parseMoney(text) : undefined;
  return money === undefined ? {} : { amount: formatMoney(money) };
}

/** The members of a 400 about a transaction (contract, "Add transactions"). */
function importError(detail: string, transactionData: unknown): Record<string, unknown> {
  return {
    status: 'TRANSACTION_IMPORT_ERROR',
    error_detail: detail,
    transaction_data: transactionData,
  };
}

const TRANSACTION_PATH = /^transactions\.(\d+)(?:\.|$)/;

/** Adds the first invalid transaction to a validation error. */
function withFailedTransaction(error: unknown, transactions: unknown): unknown {
  if (!(error instanceof PortageError) || !Array.isArray(transactions)) return error;
  const errors = (error.members['errors'] ?? []) as readonly FieldError[];
  const first = errors.find(({ attr }) => TRANSACTION_PATH.test(attr));
  if (!first) return error;
  const failing: unknown = transactions[Number(TRANSACTION_PATH.exec(first.attr)?.[1])];
  const isObject = typeof failing === 'object' && failing !== null;
  return new PortageError(error.code, error.detail, {
    ...error.members,
    ...importError(
      `${first.attr}: ${first.detail}`,
      isObject ? { ...failing, ...amountOf(failing) } : failing,
    ),
  });
}
