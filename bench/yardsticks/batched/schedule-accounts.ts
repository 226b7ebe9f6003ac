import { createHash } from 'node:crypto';
import type { Account } from '@portage/account-schema';
import type { Pool } from 'pg';

export interface PostedAccount {
  readonly account: Account;
  /** The request body as JSON text. */
  readonly payload: string;
}

const insertMany = {
  name: 'insert-many',
  text: `
    WITH given AS (
      SELECT * FROM ROWS FROM (unnest($2::text[]), unnest($3::text[]), unnest($4::bytea[]), json_array_elements($5::json))
        AS given (external_account_number, external_identifier, payload_hash, payload)
    ), inserted AS (
      INSERT INTO import_process (supplier_id, external_account_number, external_identifier, is_dry_run, payload_hash,
        status, latest_event)
      SELECT $1, external_account_number, external_identifier, false, payload_hash, 'PENDING', 'CREATED' FROM given
      RETURNING id, external_account_number
    ), kept AS (
      INSERT INTO import_process_payload (process_id, payload)
      SELECT id, payload FROM inserted JOIN given USING (external_account_number)
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, actor)
      SELECT id, 1, 0, 'SCHEDULED', 'api key bench' FROM inserted
    )
    SELECT id, external_account_number AS number FROM inserted`,
};

/** Stores processes, payloads and events of many accounts in one statement. Returns the ids in the given order. */
export async function scheduleAccounts(
  pool: Pool,
  supplierId: number,
  posted: readonly PostedAccount[],
): Promise<string[]> {
  const identities = posted.map(identityOf);
  const { rows } = await pool.query<{ id: string; number: string }>({
    ...insertMany,
    values: [
      supplierId,
      identities.map(([number]) => number),
      identities.map(([, identifier]) => identifier),
      posted.map(hashOf),
      `[${posted.map(({ payload }) => payload).join(',')}]`,
    ],
  });
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return identities.map(([number]) => idOf(byNumber.get(number)));
}

function identityOf({ account }: PostedAccount): [number: string, identifier: string] {
  const { external_account_number: number, external_identifier: identifier } = account;
  return [number, identifier ?? number];
}

function hashOf({ payload }: PostedAccount): Buffer {
  return createHash('sha256').update(payload).digest();
}

function idOf(row: { id: string } | undefined): string {
  if (!row) throw new Error('The process was not stored.');
  return row.id;
}
