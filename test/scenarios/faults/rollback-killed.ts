import type { Installation } from '@portage/testing/installation';
import { accountDescendants, findForeignKeys } from '@portage/testing/promises';
import { importBook } from '../import-book';
import { killRollback, readRollback } from '../rollback';
import type { Scenario } from '../scenario';

const ACCOUNTS = 2_000;
/** Accounts of an earlier submission, which must stay as they are. */
const EARLIER = 100;
const KILLS = 3;
const TIMEOUT_MS = 180_000;

/** Tables of accounts that have no foreign key to one. */
const OTHER_TABLES = ['account', 'idempotency_key'];

export default {
  title: '`submission rollback` is killed three times in the middle, and run again',
  minutes: 2,
  table: 'rollback',
  run: async (run) => {
    const installation = await run.install({ postgres: {}, waits: 'default' });
    await importBook(run, installation, { key: 'left-alone', size: EARLIER, timeoutMs: TIMEOUT_MS });
    const before = await summarizeTables(installation);
    const book = { key: 'rolled-back', size: ACCOUNTS, timeoutMs: TIMEOUT_MS };
    const { id } = await importBook(run, installation, book);
    const left: number[] = [];
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const most = (ACCOUNTS * (KILLS + 1 - kill)) / (KILLS + 1);
      left.push(await killRollback(installation, id, most, { timeoutMs: TIMEOUT_MS }));
    }
    const last = (await installation.operator('submission', 'rollback', id, '--yes')) as {
      rolled_back: number;
    };
    expect(last.rolled_back).toBe(left.at(-1));
    // Every table of accounts is as it was before the submission.
    expect(await summarizeTables(installation)).toEqual(before);
    expect(await readRollback(installation, id)).toEqual({
      cancelled: ACCOUNTS,
      events: ACCOUNTS,
      audited: ACCOUNTS,
    });
    return { accounts: ACCOUNTS, 'left after each kill': left.join(', '), 'tables that differ': 0 };
  },
} satisfies Scenario;

/** What the inspection of documents writes meanwhile, also for accounts that are not rolled back. */
const INSPECTED = '{state,size,media_type,sha256,error_code,enqueued_at,inspected_at}';

/** Number and content of the rows of each table of accounts. */
async function summarizeTables(installation: Installation): Promise<Record<string, string>> {
  const paths = accountDescendants(await findForeignKeys(installation));
  const tables = new Set([...OTHER_TABLES, ...paths.map((path) => path.at(-1)!.child)]);
  const summaries: Record<string, string> = {};
  for (const table of tables) {
    const content = table === 'document' ? `(to_jsonb(row) - '${INSPECTED}'::text[])` : 'row';
    const [row] = await installation.sql<{ summary: string }>(
      `SELECT count(*) || ' rows, ' || coalesce(sum(hashtextextended(${content}::text, 0)), 0) AS summary
       FROM ${table} AS row`,
    );
    summaries[table] = row!.summary;
  }
  return summaries;
}
