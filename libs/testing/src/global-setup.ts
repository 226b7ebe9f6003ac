import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../local-environment/src';
import { builtProgram } from './built-programs';
import { startRedis, stopRedis } from './redis-server';
import { TEMPLATE_DATABASE } from './template-database';

interface Running {
  postgres?: EmbeddedPostgres;
  directory?: string;
  stopRedis?: () => void;
}

/** One PostgreSQL, and where there is one a Redis, for all integration and end-to-end tests of a run. */
export default async function globalSetup(): Promise<void> {
  const migrate = builtProgram('cli', 'migrate');
  if (!existsSync(migrate))
    throw new Error('The tests run the built programs: npm run build first, or use npm test.');
  const running: Running = {};
  (globalThis as { portageTests?: Running }).portageTests = running;

  running.directory = mkdtempSync(join(tmpdir(), 'portage-test-'));
  running.postgres = await EmbeddedPostgres.start({
    dataDirectory: join(running.directory, 'postgres'),
    password: 'test',
    // These databases live for one run.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' },
  });
  await running.postgres.createDatabase(TEMPLATE_DATABASE);
  execFileSync(process.execPath, [migrate], {
    env: { ...process.env, DATABASE_URL: running.postgres.url(TEMPLATE_DATABASE) },
  });
  process.env['PORTAGE_TEST_POSTGRES'] = running.postgres.url('postgres');

  const given = process.env['TEST_REDIS_URL'];
  const redis = given ? { url: given, stop: () => undefined } : await startRedis();
  if (redis) {
    process.env['PORTAGE_TEST_REDIS'] = redis.url;
    running.stopRedis = () => {
      if ('process' in redis) stopRedis(redis);
    };
  }
  process.stderr.write(
    redis
      ? 'Queue backends under test: PostgreSQL and Redis.\n'
      : 'Queue backends under test: PostgreSQL ONLY. No redis-server or valkey-server on the PATH, no TEST_REDIS_URL.\n',
  );
}
