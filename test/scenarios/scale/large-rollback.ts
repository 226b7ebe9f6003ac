import { builtProgram } from '@portage/testing';
import type { Installation } from '@portage/testing/installation';
import { killRollback, readRollback } from '../rollback';
import { runProgram } from '../programs';
import type { Scenario } from '../scenario';
import { STORED_TABLES, storeAccounts } from '../stored-accounts';

const ACCOUNTS = Number(process.env['SCALE_ROLLBACK_ACCOUNTS'] ?? 100_000);
/** The share of the accounts that are left when the rollback is killed. */
const KILL_SHARE = 0.5;
const TIMEOUT_MS = 1_800_000;

/** The memory that a rollback may take, whatever the number of accounts. */
const MAX_MEBIBYTES = 400;

/** The number of rows of each table. */
async function countRows(installation: Installation): Promise<Record<string, number>> {
  const counts = STORED_TABLES.map((table) => `(SELECT count(*)::int FROM "${table}") AS "${table}"`);
  const [row] = await installation.sql<Record<string, number>>(`SELECT ${counts.join(', ')}`);
  return row!;
}

export default {
  title: `a rollback of ${ACCOUNTS} accounts that was killed goes on, within ${MAX_MEBIBYTES} MiB`,
  minutes: 4,
  backends: ['postgres'],
  table: 'large-rollback',
  run: async ({ install }) => {
    const installation = await install({ postgres: {}, waits: 'default' });
    const before = await countRows(installation);
    const reference = { import_supplier: installation.supplier, reference: 'large' };
    const opened = await installation.post('/v2/data-import/submissions/', reference);
    const id = String(opened.body.id);
    await installation.send('POST', `/v2/data-import/submissions/${id}/complete/`);
    await storeAccounts(installation, id, ACCOUNTS);
    expect((await countRows(installation))['account']).toBe(ACCOUNTS);

    const since = performance.now();
    const env = { NODE_OPTIONS: `--max-old-space-size=${MAX_MEBIBYTES}` };
    const limits = { timeoutMs: TIMEOUT_MS / 3, env };
    const left = await killRollback(installation, id, ACCOUNTS * KILL_SHARE, limits);
    const again = await runProgram(builtProgram('cli'), ['submission', 'rollback', id, '--yes'], {
      env: { ...installation.env, ...env },
      timeoutMs: TIMEOUT_MS,
    });
    expect(again).toEqual({ status: 0, output: expect.any(String) });
    const seconds = ((performance.now() - since) / 1_000).toFixed(0);
    // Every row is deleted, and each process cancelled once.
    expect(await countRows(installation)).toEqual(before);
    expect(await readRollback(installation, id)).toEqual({
      cancelled: ACCOUNTS,
      events: ACCOUNTS,
      audited: ACCOUNTS,
    });
    return { accounts: ACCOUNTS, 'left when it was killed': left, 'in all': `${seconds} s` };
  },
} satisfies Scenario;
