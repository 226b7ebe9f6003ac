import { insertProcesses } from './insert-processes';
import type { PortageClient } from './portage-client';

/** An error as a failed import stores it. */
export interface StoredError {
  code: string;
  detail: string;
  /** The path of the field that it is about. */
  path?: string;
  /** The payload of each account; a valid account by default, which a retry imports. */
  payload?: object;
}

/** Stores accounts with an error, without imports that fail. */
export async function storeErrored(
  portage: PortageClient,
  numbers: readonly string[],
  { code, detail, path, payload }: StoredError,
): Promise<void> {
  const payloads = numbers.map((number) => JSON.stringify(payload ?? portage.account(number)));
  await portage.sql(
    `WITH supplier AS (SELECT id FROM import_supplier WHERE code = $1), inserted AS (
       INSERT INTO import_process (supplier_id, external_account_number, external_identifier, payload_hash, is_dry_run,
         status, latest_event, error_code, error_detail, error_fields)
       SELECT supplier.id, number, number, 'x', false, 'ERRORED', 'ERRORED', $4, $5, $6
       FROM supplier, unnest($2::text[]) number RETURNING id, supplier_id, external_account_number
     ), paid AS (
       INSERT INTO import_process_payload (process_id, payload)
       SELECT id, payload::json FROM inserted
       JOIN unnest($2::text[], $3::text[]) given (number, payload) ON number = external_account_number
     )
     INSERT INTO import_process_event (process_id, version, attempt, event, error_code, supplier_id, transaction_id)
     SELECT id, 1, 1, 'ERRORED', $4, supplier_id, event_transaction_id() FROM inserted`,
    [portage.supplier, numbers, payloads, code, detail, path && JSON.stringify([{ attr: path, code }])],
  );
}

/** Stores accounts that wait until tomorrow, numbered from 1 on. */
export async function storeWaiting(
  portage: PortageClient,
  count: number,
  { supplier = portage.supplier, prefix = 'LATER-' }: { supplier?: string; prefix?: string } = {},
): Promise<void> {
  await portage.sql(
    insertProcesses('import_supplier, generate_series(1, $2::integer) AS n WHERE code = $1', {
      supplier_id: 'id',
      external_account_number: '$3 || n',
      schedule_window_start: `now() + interval '1 day'`,
      enqueued_at: `now() + interval '1 day'`,
    }),
    [supplier, count, prefix],
  );
}

/** The task parameters of an account that waits until tomorrow. */
export const tomorrow = () => ({
  schedule_window_start: new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+Z/, 'Z'),
});

/** The id of the process of an account. */
export async function processId(portage: PortageClient, number: string): Promise<string> {
  const [row] = await portage.sql<{ id: string }>(
    `SELECT id FROM import_process WHERE external_account_number = $2
       AND supplier_id = (SELECT id FROM import_supplier WHERE code = $1)`,
    [portage.supplier, number],
  );
  return row!.id;
}
