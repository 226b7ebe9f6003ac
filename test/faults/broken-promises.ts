import {
  type ImportProcessEvent,
  type ImportProcessStatus,
  type NoProcess,
  transition,
} from '@portage/domain';
import { ACTION_OF, type TestPortage } from '@portage/testing';
import { accountDescendants, type ForeignKey, foreignKeys } from './foreign-keys';

/** What must not be found; `$1` is a pattern of external account numbers. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  'processes that have not come to their end': `
    SELECT external_account_number, status, error_code FROM import_process
    WHERE external_account_number LIKE $1 AND status <> 'PROCESSED'`,
  'processes without exactly one account': `
    SELECT process.external_account_number, count(account.id)::int AS accounts
    FROM import_process process LEFT JOIN account ON account.process_id = process.id
    WHERE process.external_account_number LIKE $1
    GROUP BY process.id HAVING count(account.id) <> 1`,
  'external account numbers with several accounts': `
    SELECT external_account_number, count(*)::int AS accounts FROM account
    WHERE external_account_number LIKE $1
    GROUP BY supplier_id, external_account_number HAVING count(*) > 1`,
  'accounts that are not what their process says': `
    SELECT process.external_account_number, process.account_number, account.number
    FROM import_process process JOIN account ON account.process_id = process.id
    WHERE process.external_account_number LIKE $1
      AND (process.supplier_id, process.account_number, process.external_account_number, process.external_identifier)
        IS DISTINCT FROM
        (account.supplier_id, account.number, account.external_account_number, account.external_identifier)`,
  'processes without exactly one PROCESSED event': `
    SELECT process.external_account_number, count(event.process_id)::int AS events
    FROM import_process process
    LEFT JOIN import_process_event event ON event.process_id = process.id AND event.event = 'PROCESSED'
    WHERE process.external_account_number LIKE $1
    GROUP BY process.id HAVING count(event.process_id) <> 1`,
  'processes without a payload': `
    SELECT process.external_account_number FROM import_process process
    WHERE process.external_account_number LIKE $1
      AND NOT EXISTS (SELECT 1 FROM import_process_payload payload WHERE payload.process_id = process.id)`,
  'accounts without a customer': `
    SELECT account.external_account_number FROM account
    WHERE account.external_account_number LIKE $1
      AND NOT EXISTS (SELECT 1 FROM customer WHERE customer.account_id = account.id)`,
};

/**
 * What the database says against the promises about the accounts of a pattern: one line for each kind of finding, with
 * examples. Tables are found by their foreign keys, so those that come later are covered.
 */
export async function brokenPromises(portage: TestPortage, pattern: string): Promise<string[]> {
  const keys = await foreignKeys(portage);
  const found = [...(await forbidden(portage, pattern)), ...(await illegalHistories(portage, pattern))];
  for (const key of keys) found.push(...(await orphans(portage, key)));
  for (const path of accountDescendants(keys)) found.push(...(await unlikeAccounts(portage, path, pattern)));
  return found;
}

async function forbidden(portage: TestPortage, pattern: string): Promise<string[]> {
  const found: string[] = [];
  for (const [what, sql] of Object.entries(FORBIDDEN))
    found.push(...finding(what, await portage.sql(sql, [pattern])));
  return found;
}

/** Every stored event must be allowed where it happened, and the last one must have led to the stored status. */
async function illegalHistories(portage: TestPortage, pattern: string): Promise<string[]> {
  const histories = await portage.sql<{
    number: string;
    status: ImportProcessStatus;
    events: ImportProcessEvent[];
  }>(
    `SELECT process.external_account_number AS number, process.status,
       array_agg(event.event ORDER BY event.version, event.attempt, event.occurred_at) AS events
     FROM import_process process LEFT JOIN import_process_event event ON event.process_id = process.id
     WHERE process.external_account_number LIKE $1 GROUP BY process.id`,
    [pattern],
  );
  const illegal = histories.filter(({ status, events }) => endOf(events) !== status);
  return finding('processes whose events are in no legal order', illegal);
}

function endOf(events: readonly ImportProcessEvent[]): ImportProcessStatus | NoProcess | undefined {
  return events.reduce<ImportProcessStatus | NoProcess | undefined>(
    (status, event) => status && transition(status, ACTION_OF[event]),
    'none',
  );
}

/** Rows that point at nothing. PostgreSQL forbids them; a crash must not have made any. */
async function orphans(
  portage: TestPortage,
  { name, child, parent, columns }: ForeignKey,
): Promise<string[]> {
  const joined = columns.map(({ from, to }) => `parent.${to} = child.${from}`).join(' AND ');
  const given = columns.map(({ from }) => `child.${from} IS NOT NULL`).join(' AND ');
  const rows = await portage.sql(
    `SELECT child.* FROM ${child} child WHERE ${given} AND NOT EXISTS (SELECT 1 FROM ${parent} parent WHERE ${joined})`,
  );
  return finding(`rows of ${child} that point at nothing (${name})`, rows);
}

/** All accounts were posted alike, so all have the same number of rows in every table below them. */
async function unlikeAccounts(
  portage: TestPortage,
  path: readonly ForeignKey[],
  pattern: string,
): Promise<string[]> {
  const joins = path.map(({ child, columns }, depth) => {
    const on = columns.map(({ from, to }) => `t${depth + 1}.${from} = t${depth}.${to}`).join(' AND ');
    return `LEFT JOIN ${child} t${depth + 1} ON ${on}`;
  });
  const last = path.at(-1)!;
  const counts = await portage.sql(
    `SELECT rows, count(*)::int AS accounts, min(external_account_number) AS example FROM (
       SELECT t0.external_account_number, count(t${path.length}.${last.columns[0]!.from})::int AS rows
       FROM account t0 ${joins.join(' ')} WHERE t0.external_account_number LIKE $1 GROUP BY t0.id
     ) counted GROUP BY rows`,
    [pattern],
  );
  return counts.length > 1
    ? finding(`accounts alike with unlike numbers of rows in ${last.child}`, counts)
    : [];
}

function finding(what: string, rows: readonly object[]): string[] {
  if (rows.length === 0) return [];
  const examples = rows.slice(0, 5).map((row) => JSON.stringify(row));
  return [`${rows.length} ${what}, such as ${examples.join(', ')}`];
}
