import type { CalledInstance, Clients, Service } from './clients';
import type { FinalViews, StoredAccount } from './history';

/** A service whose database can be read. */
interface ReadableService extends Service {
  sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
}

type Shown = Readonly<Record<string, unknown>>;

/** Reads what is stored about the accounts of one run. */
export async function readStored(environment: ReadableService, key: string): Promise<StoredAccount[]> {
  return environment.sql<StoredAccount>(
    `SELECT process.external_account_number AS account, process.status, process.account_number AS "accountNumber",
       (SELECT count(*)::int FROM account WHERE account.process_id = process.id) AS accounts,
       (SELECT count(*)::int FROM import_process_event event
         WHERE event.process_id = process.id AND event.event = 'PROCESSED') AS "processedEvents",
       (SELECT coalesce(json_object_agg(name, count), '{}') FROM (
         SELECT transaction_id AS name, count(*)::int FROM transaction
         WHERE account_id = account.id GROUP BY 1) counted) AS transactions,
       -- Portage adds pinned notes of its own to accounts with moved transactions.
       (SELECT coalesce(json_object_agg(name, count), '{}') FROM (
         SELECT body AS name, count(*)::int FROM note
         WHERE account_id = account.id AND NOT is_pinned GROUP BY 1) counted) AS notes,
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

/** Reads all views of imported accounts from every API instance: both forms of lists, the feed and the submission. */
export async function readViews(environment: ReadableService, clients: Clients): Promise<FinalViews[]> {
  const views = await Promise.all(
    environment.apis.map(async (api) => {
      const { supplier } = environment;
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

async function readFeed(clients: Clients, api: CalledInstance, supplier: string): Promise<FinalViews> {
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

/** The results of the submission, whose lines alone they show. */
export async function readUnprocessedLines(
  environment: ReadableService,
  clients: Clients,
): Promise<string[]> {
  const found = await Promise.all(
    environment.apis.map(async (api) => {
      const results = (await clients.results(api)) as Shown[];
      return results
        .filter(({ outcome }) => outcome !== 'processed')
        .map(
          (line) => `${String(line['external_account_number'])}: ${String(line['outcome'])} at ${api.name}`,
        );
    }),
  );
  return found.flat();
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
