import { type ImportProcessStatus, type NoProcess, transition } from '@portage/imports';
import { ACTION_OF, type StatusEvent, type TestPortage } from '@portage/testing';
import { accountDescendants, findForeignKeys, type ForeignKey } from './foreign-keys';

/** Queries that must return no rows; `$1` is a pattern of external account numbers. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  'processes that were not imported': `
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
  'accounts whose numbers differ from those of their process': `
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
 * Checks the accounts of a pattern, and all foreign keys, in the database. Returns one line for each kind of violation,
 * with examples. The foreign keys come from the catalog, so new tables are included.
 */
export async function findViolations(portage: TestPortage, pattern: string): Promise<string[]> {
  const keys = await findForeignKeys(portage);
  const violations = [
    ...(await findForbidden(portage, pattern)),
    ...(await findIllegalHistories(portage, pattern)),
  ];
  for (const key of keys) violations.push(...(await findOrphans(portage, key)));
  for (const path of accountDescendants(keys))
    violations.push(...(await findUnequalAccounts(portage, path, pattern)));
  return violations;
}

async function findForbidden(portage: TestPortage, pattern: string): Promise<string[]> {
  const violations: string[] = [];
  for (const [title, sql] of Object.entries(FORBIDDEN))
    violations.push(...describeViolation(title, await portage.sql(sql, [pattern])));
  return violations;
}

/** The events of a process must be a legal sequence of transitions that ends in the stored status. */
async function findIllegalHistories(portage: TestPortage, pattern: string): Promise<string[]> {
  const histories = await portage.sql<{
    number: string;
    status: ImportProcessStatus;
    events: StatusEvent[];
  }>(
    `SELECT process.external_account_number AS number, process.status,
       array_agg(event.event ORDER BY event.version, event.attempt, event.occurred_at) AS events
     FROM import_process process LEFT JOIN import_process_event event ON event.process_id = process.id
       -- The end of the follow-ups changes no status.
       AND event.event NOT LIKE 'POST\\_IMPORT%'
     WHERE process.external_account_number LIKE $1 GROUP BY process.id`,
    [pattern],
  );
  const illegal = histories.filter(({ status, events }) => statusAfter(events) !== status);
  return describeViolation('processes with an illegal sequence of events', illegal);
}

function statusAfter(events: readonly StatusEvent[]): ImportProcessStatus | NoProcess | undefined {
  return events.reduce<ImportProcessStatus | NoProcess | undefined>(
    (status, event) => status && transition(status, ACTION_OF[event]),
    'none',
  );
}

/** Finds rows whose referenced row does not exist. A crash must not have caused any, although PostgreSQL checks them. */
async function findOrphans(
  portage: TestPortage,
  { name, child, parent, columns }: ForeignKey,
): Promise<string[]> {
  const isParent = columns.map(({ from, to }) => `parent.${to} = child.${from}`).join(' AND ');
  const hasKey = columns.map(({ from }) => `child.${from} IS NOT NULL`).join(' AND ');
  const rows = await portage.sql(
    `SELECT child.* FROM ${child} child WHERE ${hasKey} AND NOT EXISTS (SELECT 1 FROM ${parent} parent WHERE ${isParent})`,
  );
  return describeViolation(`rows of ${child} without the referenced row (${name})`, rows);
}

/** All accounts of a fault have equal bodies, so all must have the same number of rows in every table of an account. */
async function findUnequalAccounts(
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
    ? describeViolation(`different numbers of rows in ${last.child} for equal accounts`, counts)
    : [];
}

function describeViolation(title: string, rows: readonly object[]): string[] {
  if (rows.length === 0) return [];
  const examples = rows.slice(0, 5).map((row) => JSON.stringify(row));
  return [`${rows.length} ${title}, such as ${examples.join(', ')}`];
}
