import { type Transaction, TransactionsRequest } from '@portage/account-schema';
import { Injectable } from '@nestjs/common';
import {
  type FieldError,
  formatMoney,
  PortageError,
  parseMoney,
  type TransactionResultStatus,
} from '@portage/domain';
import { AccountRequestDispatcher } from '../post-import/account-request-dispatcher';
import { fingerprint } from '../idempotency/fingerprint';
import { ImportedAccounts } from '../post-import/imported-accounts';
import type { TransactionsInput, TransactionsOptions, TransactionsOutcome } from './transactions-request';

/** The result for one transaction (contract 2.5). */
export interface TransactionResult {
  status: TransactionResultStatus;
  /** The transaction as submitted, its amount as text with two decimals. */
  transaction_data: object;
}

/** The answer to a transactions request. */
export interface AddedTransactions {
  /** In the order of the request. */
  results: TransactionResult[];
  ignoredFields: string[];
  /** True if a request with the same Idempotency-Key was answered before, and this is its answer. */
  isReplayed: boolean;
}

/** The API's half of a transactions request: validates it and has a worker add the transactions (contract 4.3). */
@Injectable()
export class AddTransactions {
  constructor(
    private readonly accounts: ImportedAccounts,
    private readonly requests: AccountRequestDispatcher,
  ) {}

  /**
   * Adds all transactions, or none.
   *
   * @throws PortageError with `status: TRANSACTION_IMPORT_ERROR`, `error_detail` and `transaction_data` if a
   * transaction cannot be added; the errors of {@link ImportedAccounts.require} and
   * {@link AccountRequestDispatcher.perform}
   */
  async add(
    organisationId: number,
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
        input: JSON.stringify(input),
      },
      { organisationId, supplier: supplier.code, externalAccountNumber },
    );
    const results = buildResults(outcome as TransactionsOutcome, submitted, transactions);
    return { results, ignoredFields, isReplayed };
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
    ...amountOf(transactions[index]),
  }));
  if (outcome.kind === 'refused') {
    const { index, code, detail } = outcome;
    throw new PortageError(code, detail, importError(detail, echoes[index]));
  }
  const existing = new Set(outcome.existing);
  return echoes.map((echo, index) =>
    existing.has(index)
      ? {
          status: 'TRANSACTION_ALREADY_EXISTS',
          transaction_data: { ...echo, status: 'TRANSACTION_IMPORT_SUCCESS' },
        }
      : { status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: echo },
  );
}

/** The amount in the format of responses; empty if it is not a valid amount. */
function amountOf({ amount }: { amount?: unknown } = {}): { amount?: string } {
  const text = typeof amount === 'number' ? String(amount) : amount;
  const money = typeof text === 'string' ? parseMoney(text) : undefined;
  return money === undefined ? {} : { amount: formatMoney(money) };
}

/** The members of a 400 about a transaction (contract 4.3). */
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
