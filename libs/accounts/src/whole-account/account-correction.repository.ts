import { Injectable } from '@nestjs/common';
import { anyOf, type Executor, type FieldError, type Statement, unnestArrays } from '@portage/platform';
import type { CreatedAccount } from '../requests/account-follow-ups';
import { EFFECT_ON_BALANCE } from '../transactions/balance';
import {
  type AccountTable,
  attributedTables,
  columnNames,
  type NewAccount,
  rowParameters,
  type SentRows,
  sentRows,
} from './account-rows';
import { isImported } from './additions';
import { type Additions, closedObstacle, keepAdditions, type KeptAdditions } from './keep-additions';

/** An account that is to be corrected, as it is stored and locked. */
export interface AccountToCorrect extends Additions {
  id: string;
  processId: string;
  number: string;
  externalAccountNumber: string;
}

/** The rows that an account is to have instead of those of its import. */
export interface AccountCorrection {
  stored: AccountToCorrect;
  account: NewAccount;
  externalIdentifier: string;
}

const lock: Statement = {
  name: 'lock-accounts-to-correct',
  // FOR UPDATE also blocks the addition of rows that refer to the accounts.
  text: `SELECT id FROM account WHERE process_id = ANY($1::bigint[]) AND erased_at IS NULL ORDER BY id FOR UPDATE`,
};

const lockParts: Statement = {
  name: 'lock-parts-of-accounts-to-correct',
  // Rows that are changed without a lock of their account: what inspects documents, verifies instructions and sends e-mails
  // has ended with them, or waits.
  text: `
    WITH ${['document', 'payment_instruction', 'welcome_email']
      .map(
        (table) => `locked_${table} AS MATERIALIZED (
      SELECT account_id FROM ${table} WHERE account_id = ${anyOf('$1::bigint[]')} ORDER BY account_id FOR UPDATE
    )`,
      )
      .join(', ')}
    SELECT account_id FROM locked_document UNION ALL SELECT account_id FROM locked_payment_instruction
    UNION ALL SELECT account_id FROM locked_welcome_email`,
};

const findAdditions: Statement = {
  name: 'find-additions-of-accounts',
  text: `
    SELECT account.id, account.process_id, account.number, account.external_account_number, supplier.organisation_id,
      (SELECT json_agg(json_build_object('position', position, 'ledgerCode', ledger_code, 'balance', balance::text,
        'added', (
          SELECT coalesce(sum(${EFFECT_ON_BALANCE}), 0)::text FROM transaction
          WHERE account_id = account.id AND ledger_position = ledger.position AND actor IS NOT NULL
        ), 'periods', (
          SELECT json_agg(json_build_object('position', position, 'startDate', start_date, 'endDate', end_date,
            'closedAt', closed_at, 'closingBalance', closing_balance::text, 'hasAdditions', EXISTS (
              SELECT FROM transaction WHERE account_id = account.id AND actor IS NOT NULL
                AND ledger_position = period.ledger_position AND period_position = period.position
            )) ORDER BY position)
          FROM statement_period period WHERE account_id = account.id AND ledger_position = ledger.position
        )) ORDER BY position)
        FROM ledger WHERE account_id = account.id) AS ledgers,
      (SELECT coalesce(json_agg(details::jsonb || jsonb_build_object('type', type)), '[]') FROM transaction
        WHERE account_id = account.id AND actor IS NOT NULL AND type = 'SUPPLY_CHARGE') AS charges,
      (SELECT coalesce(json_agg(json_build_object('path', path, 'kind', kind)), '[]') FROM (
        SELECT statement_path AS path, 'statement' AS kind FROM historical_statement
        WHERE account_id = account.id AND actor IS NOT NULL AND statement_path IS NOT NULL
        UNION
        SELECT unnest(document_paths), 'note' FROM note WHERE account_id = account.id AND actor IS NOT NULL
      ) named) AS documents
    FROM account JOIN import_supplier supplier ON supplier.id = account.supplier_id
    WHERE account.id = ${anyOf('$1::bigint[]')} ORDER BY account.id`,
};

const FIRST_ROWS_PARAMETER = 9;

/** Of a table with rows that a correction does not touch, the condition of those that came with the account. */
function conditionOf(table: AccountTable): string {
  // One that was sent stays, whatever is corrected.
  if (table === 'welcome_email') return `state = 'PENDING'`;
  return attributedTables.includes(table)
    ? isImported(table, 'stored', '(SELECT created_at FROM account WHERE account.id = stored.account_id)')
    : 'true';
}

/** True if a request has added the active instruction of the slot of a row. */
const isSlotTaken = (row: string, accountId: string) => `EXISTS (
        SELECT FROM payment_instruction added WHERE added.account_id = ${accountId} AND added.is_active
          AND added.type = ${row}.type AND added.ledger_code = ${row}."ledger_code" AND added.actor IS NOT NULL)`;

/** The columns of deleted and inserted rows that the end of the statement reads. */
const RETURNED: Partial<Record<AccountTable, { deleted?: string; inserted?: string }>> = {
  transaction: {
    deleted: 'transaction.account_id, ledger_position, period_position',
    inserted: 'account_id, ledger_position, period_position',
  },
  payment_instruction: { deleted: 'payment_instruction.account_id, verified_at' },
  document: { inserted: 'account_id, id' },
  welcome_email: { inserted: 'account_id' },
};

/**
 * The common table expressions that make the rows of a table equal to those that are sent. Equal rows are not touched. Of
 * rows with equal contents as many are kept as are sent. Rows are deleted first, so that another one can have their key.
 */
function correctRows({ table, columns, source, valueOf }: SentRows): string {
  // Where a request has added the active instruction, the others of its slot are the same whether they were active or not.
  const contentOf = (row: string, accountId: string) =>
    `ROW(${columns
      .map(({ name }) =>
        name === 'is_active'
          ? `CASE WHEN NOT ${isSlotTaken(row, accountId)} THEN ${row}."${name}" END`
          : `${row}."${name}"`,
      )
      .join(', ')})`;
  const copyOf = (row: string) =>
    `row_number() OVER (PARTITION BY ${row}.account_id, ${row}.content) AS copy`;
  const isSame = `sent_${table}.account_id = stored_${table}.account_id AND sent_${table}.content = stored_${table}.content
          AND sent_${table}.copy = stored_${table}.copy`;
  const { deleted, inserted } = RETURNED[table] ?? {};
  const values = columns.map(({ name }) =>
    name === 'is_active'
      ? `is_active AND NOT ${isSlotTaken(`sent_${table}`, `sent_${table}.account_id`)}`
      : `"${name}"`,
  );
  // Documents are told by their time, see STORED of the reconciliation.
  const [createdAt, accountCreatedAt] =
    table === 'document'
      ? [', created_at', `, (SELECT created_at FROM account WHERE account.id = sent_${table}.account_id)`]
      : ['', ''];
  const isUnsent =
    table === 'welcome_email'
      ? ` AND NOT EXISTS (SELECT FROM welcome_email sent WHERE sent.account_id = sent_${table}.account_id AND sent.state <> 'PENDING')`
      : '';
  return `sent_${table} AS MATERIALIZED (
      SELECT *, ${copyOf('sent')} FROM (
        SELECT sent.*, ${contentOf('sent', 'sent.account_id')} AS content FROM (
          SELECT corrected.account_id, ${columns.map((column) => `${valueOf(column)} AS "${column.name}"`).join(', ')}
          FROM ${source} JOIN corrected USING (ordinal)
        ) sent
      ) sent
    ), stored_${table} AS MATERIALIZED (
      SELECT *, ${copyOf('stored')} FROM (
        SELECT stored.ctid AS place, stored.account_id, ${contentOf('stored', 'stored.account_id')} AS content
        FROM "${table}" stored WHERE stored.account_id = ${anyOf('$1::bigint[]')} AND (${conditionOf(table)})
      ) stored
    ), deleted_${table} AS (
      DELETE FROM "${table}" USING stored_${table}
      WHERE "${table}".account_id = ${anyOf('$1::bigint[]')} AND "${table}".ctid = stored_${table}.place
        AND NOT EXISTS (SELECT FROM sent_${table} WHERE ${isSame})
      RETURNING ${deleted ?? `"${table}".account_id`}
    ), inserted_${table} AS (
      INSERT INTO "${table}" (account_id, ${columnNames(columns)}${createdAt})
      SELECT account_id, ${values.join(', ')}${accountCreatedAt} FROM sent_${table}
      WHERE NOT EXISTS (SELECT FROM stored_${table} WHERE ${isSame})
        AND (SELECT count(*) FROM deleted_${table}) >= 0${isUnsent}
      RETURNING ${inserted ?? 'account_id'}
    )`;
}

const correct: Statement = {
  name: 'correct-accounts',
  // One statement, so that the foreign keys between the rows are checked at its end.
  text: `
    WITH corrected AS MATERIALIZED (
      SELECT * FROM ROWS FROM (${unnestArrays('$1::bigint[], $2::text[]')}, jsonb_array_elements($3::jsonb),
        jsonb_array_elements($4::jsonb), ${unnestArrays('$5::integer[], $6::smallint[], $7::integer[], $8::text[]')})
        WITH ORDINALITY AS corrected (account_id, account_type, billing, details, cycle_months, cycle_start_day,
          cycle_phase, external_identifier, ordinal)
    ), changed_account AS (
      UPDATE account SET account_type = corrected.account_type, billing = corrected.billing,
        details = corrected.details, cycle_months = corrected.cycle_months,
        cycle_start_day = corrected.cycle_start_day, cycle_phase = corrected.cycle_phase,
        external_identifier = corrected.external_identifier, payload_erased_at = NULL
      FROM corrected WHERE account.id = ${anyOf('$1::bigint[]')} AND account.id = corrected.account_id
    ), ${sentRows(FIRST_ROWS_PARAMETER).map(correctRows).join(', ')}
    SELECT ordinal::integer AS item, account_id,
      ARRAY(SELECT id::text FROM inserted_document document WHERE document.account_id = corrected.account_id) AS document_ids,
      EXISTS (SELECT FROM inserted_welcome_email email WHERE email.account_id = corrected.account_id) AS has_welcome_email,
      ARRAY(
        SELECT DISTINCT ledger_position FROM (
          SELECT * FROM deleted_transaction UNION ALL SELECT * FROM inserted_transaction
        ) entry WHERE entry.account_id = corrected.account_id AND period_position > 0
      ) AS changed_ledgers,
      EXISTS (
        SELECT FROM deleted_payment_instruction instruction WHERE instruction.account_id = corrected.account_id
          AND verified_at IS NOT NULL
      ) AS has_verified_instruction
    FROM corrected`,
};

interface CorrectedRow extends CreatedAccount {
  /** Number of the account in the batch, counted from 1. */
  item: number;
  /** The positions of the ledgers whose current transactions have changed. */
  changedLedgers: number[];
  /** True if an instruction was changed or removed that a request has verified. */
  hasVerifiedInstruction: boolean;
}

/** A correction that would change what was verified, closed or added since the import. Nothing of its batch is stored. */
export class CorrectionRefused extends Error {
  /** @param obstacles what is in the way, at its path in the account that was sent */
  constructor(readonly obstacles: FieldError[]) {
    super('A correction would change what has happened since the import.');
  }
}

/** Corrects accounts: makes their rows equal to those of another payload, and leaves what was added since the import. */
@Injectable()
export class AccountCorrectionRepository {
  /**
   * Locks the accounts of processes until the transaction ends, and reads what a correction leaves as it is.
   *
   * @returns those that exist and were not erased, by process
   */
  async lock(executor: Executor, processIds: readonly string[]): Promise<Map<string, AccountToCorrect>> {
    const ids = (await executor.run<{ id: string }>(lock, [processIds])).map(({ id }) => id);
    await executor.run(lockParts, [ids]);
    // A statement that waits for a row sees what was added before. The next one sees all.
    const accounts = await executor.run<AccountToCorrect>(findAdditions, [ids]);
    return new Map(accounts.map((account) => [account.processId, account]));
  }

  /**
   * Corrects accounts that the transaction has locked. Rows that are equal are not touched; platform account number,
   * positions of ledgers and everything that requests have added stay. Balances are the sums of their entries.
   *
   * @returns for each, in their order, the documents and the e-mail to look after
   * @throws CorrectionRefused if one of them cannot be stored: none is
   */
  async correct(executor: Executor, corrections: readonly AccountCorrection[]): Promise<CreatedAccount[]> {
    if (corrections.length === 0) return [];
    const kept = corrections.map(({ account, stored }) => keepAdditions(account, stored));
    refuse(kept.flatMap(({ obstacles }) => obstacles));
    const accounts = kept.map(({ account }) => account);
    const rows = await executor.run<CorrectedRow>(correct, [
      corrections.map(({ stored }) => stored.id),
      accounts.map(({ accountType }) => accountType),
      JSON.stringify(accounts.map(({ billing }) => billing)),
      JSON.stringify(accounts.map(({ details }) => details)),
      accounts.map(({ cycle }) => cycle.months),
      accounts.map(({ cycle }) => cycle.startDay),
      accounts.map(({ cycle }) => cycle.phase),
      corrections.map(({ externalIdentifier }) => externalIdentifier),
      ...rowParameters(accounts.map((account) => account.rows)),
    ]);
    return rows
      .toSorted((one, other) => one.item - other.item)
      .map((row, index) => {
        refuse(obstaclesOf(row, (kept[index] as KeptAdditions).closedLedgers));
        const { accountId, documentIds, hasWelcomeEmail } = row;
        return { accountId, documentIds, hasWelcomeEmail };
      });
  }
}

function refuse(obstacles: FieldError[]): void {
  if (obstacles.length > 0) throw new CorrectionRefused(obstacles);
}

function obstaclesOf(row: CorrectedRow, closedLedgers: ReadonlySet<number>): FieldError[] {
  const closed = row.changedLedgers.find((position) => closedLedgers.has(position));
  return [
    ...(closed === undefined ? [] : [{ ...closedObstacle(undefined), attr: `ledgers.${closed}` }]),
    ...(row.hasVerifiedInstruction
      ? [
          {
            code: 'payment_instruction_verified',
            attr: 'payment_instructions',
            detail:
              'A payment instruction was verified since the import, so it stays. Send it as before, and create another one.',
          },
        ]
      : []),
  ];
}
