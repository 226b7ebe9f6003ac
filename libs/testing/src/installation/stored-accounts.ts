import type { CalledApi, Clients, ReadableService } from './clients';
import type { FinalViews, StoredAccount } from './history';
import { until } from '../until';

type Shown = Readonly<Record<string, unknown>>;

/** Reads what is stored about the accounts whose numbers begin with `key`. */
export async function readStored(service: ReadableService, key: string): Promise<StoredAccount[]> {
  return service.sql<StoredAccount>(
    `SELECT process.external_account_number AS account, process.status, process.error_code AS "errorCode",
       process.account_number AS "accountNumber",
       (SELECT count(*)::int FROM account WHERE account.process_id = process.id) AS accounts,
       (SELECT count(*)::int FROM account WHERE account.supplier_id = process.supplier_id
         AND account.external_account_number = process.external_account_number) AS "accountsOfNumber",
       (process.supplier_id, process.account_number, process.external_account_number, process.external_identifier)
         IS NOT DISTINCT FROM (account.supplier_id, account.number, account.external_account_number,
           account.external_identifier) AS "isSame",
       (SELECT count(*)::int FROM customer WHERE customer.account_id = account.id) AS customers,
       EXISTS (SELECT 1 FROM import_process_payload WHERE process_id = process.id) AS "hasPayload",
       (SELECT coalesce(json_agg(event ORDER BY version, attempt, occurred_at), '[]') FROM import_process_event
         -- The end of the follow-ups changes no status.
         WHERE process_id = process.id AND event NOT LIKE 'POST\\_IMPORT%') AS events,
       (SELECT coalesce(json_object_agg(name, count), '{}') FROM (
         SELECT transaction_id AS name, count(*)::int FROM transaction
         WHERE account_id = account.id GROUP BY 1) counted) AS transactions,
       -- Portage adds pinned notes of its own to accounts with moved transactions.
       (SELECT coalesce(json_object_agg(name, count), '{}') FROM (
         SELECT body AS name, count(*)::int FROM note
         WHERE account_id = account.id AND NOT is_pinned AND body IS NOT NULL GROUP BY 1) counted) AS notes,
       (SELECT coalesce(sum(balance), 0)::float8 FROM ledger WHERE account_id = account.id) AS balance,
       (SELECT coalesce(sum(CASE WHEN type IN ('CREDIT', 'PAYMENT') THEN amount ELSE -amount END), 0)::float8
         FROM transaction WHERE account_id = account.id) AS entries,
       CASE WHEN process.schedule_window_start IS NOT NULL THEN json_build_object(
         'opensAt', extract(epoch FROM process.schedule_window_start) * 1000,
         'startedAt', (SELECT extract(epoch FROM min(occurred_at)) * 1000 FROM import_process_event event
           WHERE event.process_id = process.id AND event.attempt > 0)) END AS window
     FROM import_process process LEFT JOIN account ON account.process_id = process.id
     WHERE process.external_account_number LIKE $1`,
    [`${key}-%`],
  );
}

/** Counts the processes whose numbers begin with `key` and that have one of the statuses. */
export async function countProcesses(
  service: Pick<ReadableService, 'sql'>,
  key: string,
  ...statuses: readonly string[]
): Promise<number> {
  const [row] = await service.sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM import_process
     WHERE external_account_number LIKE $1 AND status = ANY($2)`,
    [`${key}-%`, statuses],
  );
  return row!.count;
}

/**
 * Waits until so many accounts of a book are imported. Fails at once if as many have ended, and some of them otherwise.
 *
 * @param description for the error
 */
export async function untilProcessed(
  service: Pick<ReadableService, 'sql'>,
  key: string,
  count: number,
  description: () => string | Promise<string>,
  timeoutMs: number,
): Promise<void> {
  await until(
    async () => {
      const [found] = await service.sql<{ processed: number; active: number; all: number }>(
        `SELECT count(*) FILTER (WHERE status = 'PROCESSED')::int AS processed,
           count(*) FILTER (WHERE status IN ('PENDING', 'IN_PROGRESS'))::int AS active, count(*)::int AS all
         FROM import_process WHERE external_account_number LIKE $1`,
        [`${key}-%`],
      );
      const { processed, active, all } = found!;
      if (processed >= count) return true;
      return active === 0 && all >= count ? 'never' : false;
    },
    description,
    timeoutMs,
  );
}

/** The time of the last PROCESSED event, in milliseconds since 1970; 0 if there is none. */
export async function lastProcessedAt(service: Pick<ReadableService, 'sql'>, key: string): Promise<number> {
  const [row] = await service.sql<{ at: number | null }>(
    `SELECT extract(epoch FROM max(event.occurred_at))::float8 * 1000 AS at FROM import_process_event event
     JOIN import_process process ON process.id = event.process_id
     WHERE event.event = 'PROCESSED' AND process.external_account_number LIKE $1`,
    [`${key}-%`],
  );
  return row!.at ?? 0;
}

/** Reads all views of imported accounts from every API instance: both forms of lists, and the feed. */
export async function readViews(service: ReadableService, clients: Clients): Promise<FinalViews[]> {
  const views = await Promise.all(
    service.apis.map(async (api) => {
      const { supplier } = service;
      const list = `/v1/data-import/all-account-import-processes/${supplier}/?status=PROCESSED`;
      const imported = `/v1/data-import/imported-account-import-processes/${supplier}/`;
      return Promise.all([
        clients.read(api, list).then((rows) => view(`the list of all at ${api.name}`, rows as Shown[])),
        clients
          .read(api, imported)
          .then((rows) => view(`the list of imported at ${api.name}`, rows as Shown[])),
        readFeed(clients, api, supplier),
      ]);
    }),
  );
  return views.flat();
}

async function readFeed(clients: Clients, api: CalledApi, supplier: string): Promise<FinalViews> {
  const shown: Shown[] = [];
  const types = 'types=data_import.import_process.complete-v1';
  for (let after = ''; ;) {
    const path = `/v2/data-import/events/?supplier=${supplier}&${types}&limit=5000${after}`;
    const { events, next } = (await clients.read(api, path)) as { events: { data: Shown }[]; next: string };
    shown.push(...events.map(({ data }) => data));
    if (events.length === 0) return view(`the feed at ${api.name}`, shown);
    after = `&after=${encodeURIComponent(next)}`;
  }
}

function view(name: string, rows: readonly Shown[]): FinalViews {
  const imported = new Map<string, string | undefined>();
  const repeated: string[] = [];
  for (const { external_account_number: account, platform_account_number: number } of rows) {
    if (imported.has(String(account))) repeated.push(String(account));
    imported.set(String(account), typeof number === 'string' ? number : undefined);
  }
  return { view: name, imported, repeated };
}
