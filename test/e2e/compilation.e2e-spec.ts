import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { account, announceSkipped, Installation, MISSING, signIn } from '@portage/testing';
import { importSampleBook } from '../scenarios/sample-book';

const DEBIAN = '/usr/lib/postgresql';

/** The programs of a server with LLVM. The one that other tests use, from npm, is built without. */
const binaries = (existsSync(DEBIAN) ? readdirSync(DEBIAN).sort() : [])
  .filter((version) => existsSync(join(DEBIAN, version, 'lib', 'llvmjit.so')))
  .map((version) => join(DEBIAN, version, 'bin'))
  .at(-1);
if (binaries === undefined) announceSkipped('that no statement is compiled', MISSING.llvm);

(binaries === undefined ? describe.skip : describe)('a PostgreSQL that compiles whatever it may', () => {
  const portage = Installation.use({
    backend: 'postgres',
    postgres: {
      ...(binaries !== undefined && { binaries }),
      settings: {
        shared_preload_libraries: 'pg_stat_statements',
        jit: 'on',
        jit_above_cost: '0',
      },
    },
  });

  /** The compiled statements of a role, and how many others it has run. */
  async function statementsOf(role: string): Promise<{ compiled: string[]; others: number }> {
    const rows = await portage.sql<{ query: string; is_compiled: boolean }>(
      `SELECT query, bool_or(jit_functions > 0) AS is_compiled FROM pg_stat_statements
       WHERE userid = (SELECT oid FROM pg_roles WHERE rolname = $1) GROUP BY query`,
      [role],
    );
    const compiled = rows.filter((row) => row.is_compiled).map(({ query }) => query);
    return { compiled, others: rows.length - compiled.length };
  }

  it('compiles no statement of the programs, of the application and of the queue', async () => {
    await portage.sql('CREATE EXTENSION pg_stat_statements');
    await importSampleBook(portage);
    await portage.schedule(account('ALONE'));
    await portage.waitFor('PROCESSED', 1);
    const payment = {
      transaction_id: 'T-1',
      transaction_date: '2026-01-31',
      type: 'PAYMENT',
      amount: '1.00',
    };
    const { body } = await portage.post(
      '/v1/data-import/transactions/create/',
      { import_supplier: 'LEGACY', external_account_number: 'ALONE', transactions: [payment] },
      { 'idempotency-key': 'key-1' },
    );
    expect(body.results).toMatchObject([{ status: 'TRANSACTION_ADDED_TO_ACCOUNT' }]);
    const { headers: operator } = await signIn(portage, 'viewer');
    for (const path of ['overview', 'suppliers', 'audit', 'queues'])
      expect([path, (await portage.get(`/operator/v1/${path}`, operator)).status]).toEqual([path, 200]);

    const programs = await statementsOf('portage_app');
    expect(programs.compiled).toEqual([]);
    expect(programs.others).toBeGreaterThan(50);
    // A session without their settings is compiled, so the server is able to.
    expect((await statementsOf('portage')).compiled).not.toEqual([]);
  });
});
