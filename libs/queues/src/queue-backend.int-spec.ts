import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@portage/config';
import { Logger } from '@portage/observability';
import { EmbeddedPostgres } from '../../local-environment/src';
import { until } from '@portage/testing';
import { migrateQueueSchema } from './migrate-queue-schema';
import { QueueBackend } from './queue-backend';

it('a worker takes jobs seconds after PostgreSQL, which went away under a job, is back', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'portage-queue-'));
  const postgres = await EmbeddedPostgres.start({
    dataDirectory: join(directory, 'postgres'),
    password: 'test',
  });
  const config = loadConfig('worker', {
    DATABASE_URL: postgres.url(),
    PORTAGE_DIR: directory,
    LOG_LEVEL: 'silent',
  });
  await migrateQueueSchema(config.DATABASE_URL);
  const backend = new QueueBackend(config, new Logger(config));
  const done: string[] = [];
  let endJob: () => void = () => undefined;
  const jobEnds = new Promise<void>((resolve) => {
    endJob = resolve;
  });
  const worker = backend.worker(
    'account-imports',
    async ({ id = '' }) => {
      done.push(id);
      if (id === 'interrupted') await jobEnds;
    },
    1,
  );
  try {
    const queue = backend.queue('account-imports');
    void worker.run();
    await queue.add('import-account', {}, { jobId: 'interrupted' });
    await until(
      () => done.includes('interrupted'),
      10_000,
      () => 'no job was taken',
    );

    await postgres.stop('immediate');
    endJob();
    await postgres.startAgain();
    await queue.add('import-account', {}, { jobId: 'next' });
    await until(
      () => done.includes('next'),
      6_000,
      () => 'the next job was still waiting',
    );
  } finally {
    await worker.close(true);
    await backend.onApplicationShutdown();
    await postgres.stop('immediate');
    rmSync(directory, { recursive: true, force: true });
  }
});
