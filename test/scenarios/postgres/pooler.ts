import { builtProgram } from '@portage/testing';
import { Pooler, poolerIsMissing } from '@portage/testing/installation';
import { failureOf } from '../programs';
import { importSampleBook } from '../sample-book';
import type { Scenario } from '../scenario';

const TRANSACTION = {
  transaction_id: 'T-1',
  transaction_date: '2026-01-15',
  type: 'CHARGE',
  reason: 'IMPORTED_CHARGE',
  amount: 12.5,
};

const bookBehindPooler: Scenario = {
  title: 'the sample book is imported behind PgBouncer, with more connections than sessions',
  minutes: 1,
  missing: poolerIsMissing,
  run: async ({ install }) => {
    const installation = await install({ postgres: { pooler: {} } });
    await importSampleBook(installation);
    // The API learns the outcome by a notification, which arrives over the direct connection.
    await installation.schedule(installation.account('POOLED'));
    await installation.waitForAccount('POOLED', 'PROCESSED');
    const { status } = await installation.post('/v1/data-import/transactions/create/', {
      import_supplier: installation.supplier,
      external_account_number: 'POOLED',
      transactions: [TRANSACTION],
    });
    expect(status).toBe(201);
    expect(installation.log('api') + installation.log('worker')).not.toMatch(
      /has not answered on this connection/,
    );
    return undefined;
  },
};

const refusedPooler: Scenario = {
  title: 'a program does not start behind a pooler that it cannot work with, and says what to do',
  minutes: 1,
  backends: ['postgres'],
  missing: poolerIsMissing,
  run: async ({ install, atEnd }) => {
    const programs = { apis: 0, workers: 0 };
    // Its sessions lack their settings, because the migration did not know of a pooler.
    const unset = await install({ postgres: {}, ...programs });
    const set = await install({ postgres: { pooler: {} }, ...programs });
    const start = async (...needs: Parameters<typeof Pooler.start>) => {
      const pooler = await Pooler.start(...needs);
      atEnd(async () => pooler.stop());
      return pooler;
    };
    const pooler = await start(unset.servers.database.url);
    const forgetful = await start(set.servers.database.url, { max_prepared_statements: '0' });
    const fail = async (pooled: string, direct: string) =>
      failureOf(builtProgram('worker'), [], {
        DATABASE_URL: pooled,
        DIRECT_DATABASE_URL: direct,
        WORKER_PORT: '0',
        PORTAGE_DIR: unset.directory,
      });
    const { url } = unset.servers.database;
    expect(await fail(pooler.through(url), url)).toMatch(
      /enable_seqscan is on.*Run npm run migrate with DIRECT_DATABASE_URL/,
    );
    const { database } = set.servers;
    const pooled = forgetful.through(database.url);
    expect(await fail(pooled, database.url)).toMatch(/forgets prepared statements/);
    expect(await fail(pooled, pooled)).toMatch(/DIRECT_DATABASE_URL leads to a pooler/);
    return undefined;
  },
};

export default { pooler: bookBehindPooler, 'pooler-refused': refusedPooler };
