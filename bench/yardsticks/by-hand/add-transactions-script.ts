import type { SqlScript } from '../../environment/sql-script';

export interface PostedTransaction {
  readonly transaction_id: string;
  readonly transaction_date: string;
  readonly type: string;
  readonly amount: number;
  readonly reason: string;
  readonly [more: string]: unknown;
}

/** The accounts that transactions are added to: all ids in this range. */
export interface AccountRange {
  readonly organisationId: number;
  readonly firstAccount: number;
  readonly lastAccount: number;
}

/**
 * The writes of Portage for one transactions request as a SQL script: store the request; then, in one transaction, lock
 * the account, add the missing transactions, change the balance, store the outcome and send the notification. Each run
 * has other transaction ids.
 */
export function addTransactionsScript(
  transactions: readonly PostedTransaction[],
  { organisationId, firstAccount, lastAccount }: AccountRange,
): SqlScript {
  const rows = transactions.map(({ transaction_id, transaction_date, type, amount, reason, ...details }) => ({
    ...{ transaction_id, transaction_date, type, amount, reason, details },
  }));
  const store = `
    INSERT INTO account_request (organisation_id, account_id, kind, fingerprint, input)
    VALUES (${organisationId}, :account, 'transactions', sha256(random()::text::bytea), ${literal({ transactions })})
    RETURNING id AS request`;
  const start = `UPDATE account_request SET attempt = attempt + 1 WHERE id = :request AND status = 'PENDING'`;
  const lock = 'SELECT FROM account WHERE id = :account FOR NO KEY UPDATE';
  const post = `
    WITH given AS (
      SELECT transaction_id || '-' || :request::bigint AS transaction_id, type, amount, transaction_date, reason, details
      FROM json_to_recordset(${literal(rows)}::json) AS given (transaction_id text, type text, amount numeric,
        transaction_date date, reason text, details jsonb)
    ), period AS (
      SELECT account_id, ledger_position, position FROM statement_period
      WHERE account_id = :account AND closed_at IS NULL ORDER BY ledger_position LIMIT 1
    ), added AS (
      INSERT INTO transaction (account_id, ledger_position, period_position, transaction_id, type, amount,
        transaction_date, reason, details)
      SELECT account_id, ledger_position, position, transaction_id, type, amount, transaction_date, reason, details
      FROM given CROSS JOIN period
      WHERE NOT EXISTS (SELECT FROM transaction had
        WHERE had.account_id = :account AND had.transaction_id = given.transaction_id)
      RETURNING type, amount
    )
    UPDATE ledger SET balance = balance + effect
    FROM period, (SELECT sum(CASE type WHEN 'CHARGE' THEN -amount ELSE amount END) AS effect FROM added) AS change
    WHERE ledger.account_id = :account AND ledger.position = period.ledger_position`;
  const finish = `
    UPDATE account_request SET status = 'DONE', outcome = '{"kind" : "added", "existing" : []}', input = NULL,
      finished_at = now()
    WHERE id = :request AND status = 'PENDING'
    RETURNING pg_notify('portage_outcomes', id::text)`;
  return {
    randomIntegers: { account: [firstAccount, lastAccount] },
    statements: [
      { text: store, setsVariables: true },
      ...[start, 'BEGIN', lock, post, finish, 'COMMIT'].map((text) => ({ text })),
    ],
  };
}

/** Adds a space after each colon, so that pgbench finds no variable. */
function literal(value: unknown): string {
  return `'${JSON.stringify(value).replaceAll('":', '": ').replaceAll("'", "''")}'`;
}
