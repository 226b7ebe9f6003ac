import { Injectable } from '@nestjs/common';
import {
  type Executor,
  type LocalDate,
  type Statement,
  translateErrors,
  unnestArrays,
} from '@portage/platform';
import { In } from 'typeorm';
import type { Period } from '../statements/billing-cycle';
import { chargedBefore } from '../account/account-lookups.repository';
import { TransactionEntity } from './transaction.entity';

/** A ledger and its open statement period, to which transactions are added. */
export interface OpenLedger extends Period {
  position: number;
  periodPosition: number;
  /** Decimal text. */
  balance: string;
  /** Supply points that are billed to the ledger. */
  identifiers: string[];
}

/** The state of an account that the planning of a transactions request needs. */
export interface LedgerSnapshot {
  /** At least one, ordered by position. */
  ledgers: OpenLedger[];
  /** The transactions with a requested id that the account has already, the oldest first. */
  existing: StoredTransaction[];
}

/** A stored transaction, with the date that was sent. */
export interface StoredTransaction {
  transactionId: string;
  type: string;
  /** Decimal text. */
  amount: string;
  transactionDate: LocalDate;
  reason: string | null;
  details: Record<string, unknown>;
}

/** A transaction to store. */
export interface NewTransaction {
  ledgerPosition: number;
  periodPosition: number;
  transactionId: string;
  type: string;
  amount: string;
  transactionDate: LocalDate;
  originalDate: LocalDate | null;
  adjustment: string | null;
  reason: string | undefined;
  details: Record<string, unknown>;
}

/** A period for which a supply point is charged; both days are included. */
export interface NewChargedPeriod {
  supplyPointIdentifier: string;
  startDate: LocalDate;
  endDate: LocalDate;
}

/** Everything that one transactions request adds to its account. */
export interface LedgerChange {
  transactions: readonly NewTransaction[];
  chargedPeriods: readonly NewChargedPeriod[];
  /** Changes of ledger balances: position of the ledger, amount as decimal text. */
  effects: readonly { position: number; effect: string }[];
  /** Body of a note to pin to the account; null for none. */
  note: string | null;
}

/** A ledger change, its account and its author. */
export interface AccountLedgerChange extends LedgerChange {
  accountId: string;
  /** The API key that posted the transactions; null if it is not known. */
  actor: string | null;
}

/** A period that a request charges. */
export interface RequestedPeriod extends NewChargedPeriod {
  accountId: string;
  /** True if days of the account itself are not compared. */
  isRepeated: boolean;
}

/** Days that have been charged before. */
export interface ChargedDays {
  accountId: string;
  /** Index of the requested period that contains the days. */
  index: number;
  start: LocalDate;
  end: LocalDate;
}

const storedTransaction = `json_build_object('transactionId', transaction_id, 'type', type, 'amount', amount::text,
  'transactionDate', coalesce(original_date, transaction_date), 'reason', reason, 'details', details)`;

const readLedgerSnapshots: Statement = {
  name: 'read-ledger-snapshots',
  // An id can be stored any number of times, if it was added again on purpose. LIMIT reads one of them.
  text: `
    SELECT requested.account_id,
      (SELECT json_agg(json_build_object('position', ledger.position, 'periodPosition', period.position,
          'start', period.start_date, 'end', period.end_date, 'balance', ledger.balance::text,
          'identifiers', coalesce(ledger.details -> 'identifiers', '[]')) ORDER BY ledger.position)
        FROM ledger
        JOIN statement_period period ON period.account_id = ledger.account_id
          AND period.ledger_position = ledger.position AND period.closed_at IS NULL
        WHERE ledger.account_id = requested.account_id) AS ledgers,
      (SELECT json_agg(one.stored) FROM json_array_elements_text(requested.ids) AS asked (id) CROSS JOIN LATERAL (
        SELECT ${storedTransaction} AS stored FROM transaction
        WHERE account_id = requested.account_id AND transaction_id = asked.id LIMIT 1) one) AS existing
    FROM ROWS FROM (${unnestArrays('$1::bigint[]')}, json_array_elements($2::json)) AS requested (account_id, ids)`,
};

const lockCharged: Statement = {
  name: 'lock-charged-days',
  text: `
    SELECT lock_charged_days(organisation_id, $2::text[])
    FROM import_supplier WHERE id = (SELECT supplier_id FROM account WHERE id = $1)`,
};

const findFirstCharged: Statement = {
  name: 'first-charged-days',
  // One probe of an index for each period.
  text: `
    SELECT DISTINCT ON (account_id) account_id, ordinal::integer - 1 AS index,
      greatest(clash.start_date, requested.start_date)::text AS start,
      least(clash.end_date, requested.end_date)::text AS end
    FROM unnest($6::bigint[], $2::text[], $3::date[], $4::date[], $5::boolean[]) WITH ORDINALITY
      AS requested (account_id, supply_point_identifier, start_date, end_date, is_repeated, ordinal)
    CROSS JOIN LATERAL (
      ${chargedBefore('(SELECT organisation_id FROM import_supplier JOIN account ON supplier_id = import_supplier.id WHERE account.id = $1)', 'requested.supply_point_identifier', 'requested.start_date', 'requested.end_date')}
        AND NOT (requested.is_repeated AND stored.account_id = requested.account_id)
      LIMIT 1
    ) clash
    ORDER BY account_id, ordinal`,
};

/** The parameters of {@link addTransactions} with a member for each transaction. */
const TRANSACTION_ARRAYS =
  '$1::bigint[], $2::integer[], $3::integer[], $4::text[], $5::text[], $6::numeric[], ' +
  '$7::date[], $8::date[], $9::text[], $10::text[], $11::text[]';

const addTransactions: Statement = {
  name: 'add-transactions',
  // One array for each column: json_to_recordset would take four times as long, a third of the whole statement. The
  // details are one JSON array: in a jsonb[] each of their quotes would have to be escaped.
  text: `
    WITH added AS (
      INSERT INTO transaction (account_id, ledger_position, period_position, transaction_id, type, amount,
        transaction_date, original_date, adjustment, reason, actor, details)
      SELECT * FROM ROWS FROM (${unnestArrays(TRANSACTION_ARRAYS)}, jsonb_array_elements($12::jsonb))
    ), charged AS (
      INSERT INTO charged_period (account_id, organisation_id, supply_point_identifier, start_date, end_date)
      SELECT charged.account_id, supplier.organisation_id, supply_point_identifier, start_date, end_date
      FROM ${unnestArrays('$13::bigint[], $14::text[], $15::date[], $16::date[]')}
        AS charged (account_id, supply_point_identifier, start_date, end_date)
      JOIN account ON account.id = charged.account_id
      JOIN import_supplier supplier ON supplier.id = account.supplier_id
    ), balanced AS (
      UPDATE ledger SET balance = balance + change.effect
      FROM ${unnestArrays('$17::bigint[], $18::integer[], $19::numeric[]')}
        AS change (account_id, position, effect)
      WHERE ledger.account_id = change.account_id AND ledger.position = change.position
    )
    INSERT INTO note (account_id, body, is_pinned, is_archived, document_paths, actor)
    SELECT account_id, body, true, false, '{}', actor
    FROM ${unnestArrays('$20::bigint[], $21::text[], $22::text[]')}
      AS note (account_id, body, actor)`,
};

/**
 * Adds transactions to the ledgers of accounts. The caller must hold the lock of each account
 * ({@link ImportedAccountRepository.lock}) before the first read, so that the state read here stays valid until the
 * transaction ends.
 */
@Injectable()
export class TransactionRepository {
  /** Finds the transactions of an account with these ids, the oldest first. */
  async find(
    executor: Executor,
    accountId: string,
    transactionIds: readonly string[],
  ): Promise<StoredTransaction[]> {
    const found = await translateErrors(
      executor.manager.find(TransactionEntity, {
        where: { accountId, transactionId: In(transactionIds) },
        order: { id: 'ASC' },
      }),
    );
    return found.map(({ originalDate, transactionDate, ...stored }) => ({
      ...stored,
      transactionDate: originalDate ?? transactionDate,
    }));
  }

  /** Reads the ledgers of each account, and the transactions with a requested id that it has already. */
  async ledgerSnapshots(
    executor: Executor,
    requested: readonly { accountId: string; transactionIds: readonly string[] }[],
  ): Promise<Map<string, LedgerSnapshot>> {
    const rows = await executor.run<{
      accountId: string;
      ledgers: OpenLedger[] | null;
      existing: StoredTransaction[] | null;
    }>(readLedgerSnapshots, [
      requested.map(({ accountId }) => accountId),
      JSON.stringify(requested.map(({ transactionIds }) => transactionIds)),
    ]);
    return new Map(
      rows.map(({ accountId, ledgers, existing }) => [
        accountId,
        { ledgers: ledgers ?? [], existing: existing ?? [] },
      ]),
    );
  }

  /**
   * Finds, for each account of one organisation, the first of its periods with days that an account of the organisation has been
   * charged for before. No other transaction charges their supply points until this one ends.
   */
  async findFirstCharged(executor: Executor, periods: readonly RequestedPeriod[]): Promise<ChargedDays[]> {
    const [first] = periods;
    if (!first) return [];
    // In a statement of its own: the next one sees what the last holder of the locks has committed.
    await executor.run(lockCharged, [
      first.accountId,
      periods.map(({ supplyPointIdentifier }) => supplyPointIdentifier),
    ]);
    return executor.run<ChargedDays>(findFirstCharged, [
      first.accountId,
      periods.map((period) => period.supplyPointIdentifier),
      periods.map((period) => period.startDate),
      periods.map((period) => period.endDate),
      periods.map((period) => period.isRepeated),
      periods.map((period) => period.accountId),
    ]);
  }

  /** Stores transactions, balances, charged periods and notes in one statement. */
  async add(executor: Executor, changes: readonly AccountLedgerChange[]): Promise<void> {
    const transactions = rowsByAccount(changes, ({ transactions }) => transactions);
    const charged = rowsByAccount(changes, ({ chargedPeriods }) => chargedPeriods);
    const effects = rowsByAccount(changes, ({ effects }) => effects);
    const notes = changes.filter(({ note }) => note !== null);
    await executor.run(addTransactions, [
      plainArray(transactions.accountIds),
      plainArray(transactions.rows.map((row) => row.ledgerPosition)),
      plainArray(transactions.rows.map((row) => row.periodPosition)),
      transactions.rows.map((row) => row.transactionId),
      plainArray(transactions.rows.map((row) => row.type)),
      plainArray(transactions.rows.map((row) => row.amount)),
      plainArray(transactions.rows.map((row) => row.transactionDate)),
      plainArray(transactions.rows.map((row) => row.originalDate ?? 'NULL')),
      transactions.rows.map((row) => row.adjustment),
      transactions.rows.map((row) => row.reason),
      changes.flatMap(({ transactions, actor }) => transactions.map(() => actor)),
      JSON.stringify(transactions.rows.map((row) => row.details)),
      charged.accountIds,
      charged.rows.map((row) => row.supplyPointIdentifier),
      charged.rows.map((row) => row.startDate),
      charged.rows.map((row) => row.endDate),
      effects.accountIds,
      effects.rows.map((row) => row.position),
      effects.rows.map((row) => row.effect),
      notes.map(({ accountId }) => accountId),
      notes.map(({ note }) => note),
      notes.map(({ actor }) => actor),
    ]);
  }
}

/**
 * The text of an array whose members need no quotes: numbers, dates, amounts and names of types. pg searches each member
 * for characters to escape, which takes three times as long.
 */
function plainArray(members: readonly (string | number)[]): string {
  return `{${members.join(',')}}`;
}

/** The rows of all changes, and the account of each row. */
function rowsByAccount<Row>(
  changes: readonly AccountLedgerChange[],
  rowsOf: (change: AccountLedgerChange) => readonly Row[],
): { accountIds: string[]; rows: Row[] } {
  return {
    accountIds: changes.flatMap((change) => rowsOf(change).map(() => change.accountId)),
    rows: changes.flatMap(rowsOf),
  };
}
