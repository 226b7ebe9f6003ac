import type { INestApplicationContext } from '@nestjs/common';
import { SendWelcomeEmail } from '@portage/accounts';
import { Queues } from '@portage/platform';
import { type TestedBackend, testedBackends, until } from '@portage/testing';
import { DataSource } from 'typeorm';
import { startWorker } from '../../test/worker-under-test';
import { AccountImportsProcessor } from './account-imports.processor';
import { EmailsProcessor } from './emails.processor';
import { PaymentInstructionsProcessor } from './payment-instructions.processor';
import { QueueConsumers } from './queue-consumers';

const start = async (backend: TestedBackend, env: NodeJS.ProcessEnv) => (await startWorker(backend, env)).app;

const addEmailJob = async (app: INestApplicationContext, accountId: string) =>
  app
    .get(Queues)
    .get('emails')
    .add('send-welcome-email', { accountId, supplier: 'LEGACY', externalAccountNumber: 'N-1' });

/** Replaces the use case behind jobs of `emails`, and records the accounts that it is called for. */
function recordEmails(
  app: INestApplicationContext,
  run: () => Promise<void> = async () => Promise.resolve(),
) {
  const accountIds: string[] = [];
  jest.spyOn(app.get(SendWelcomeEmail), 'run').mockImplementation(async (accountId) => {
    accountIds.push(accountId);
    await run();
    return 'sent';
  });
  return accountIds;
}

const workerOptions = (app: INestApplicationContext) => {
  const { concurrency, lockDuration, stalledInterval } = app.get(EmailsProcessor).worker.opts;
  return { concurrency, lockDuration, stalledInterval };
};

describe('two worker applications in one process', () => {
  const second = testedBackends().at(-1)!;
  let apps: INestApplicationContext[] = [];

  beforeAll(async () => {
    apps = [
      await start('postgres', { JOB_LOCK_MS: '2000', WORKER_CONCURRENCY: '3' }),
      await start(second, { JOB_LOCK_MS: '9000', WORKER_CONCURRENCY: '5' }),
    ];
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
  });

  it('have the backend, the concurrency and the lock times of their own configuration', () => {
    expect(apps.map((app) => app.get(Queues).backend)).toEqual(['postgres', second]);
    expect(apps.map(workerOptions)).toEqual([
      { concurrency: 3, lockDuration: 2_000, stalledInterval: 1_000 },
      { concurrency: 5, lockDuration: 9_000, stalledInterval: 4_500 },
    ]);
    // Batches, whose number is the same for every worker.
    expect(apps.map((app) => app.get(AccountImportsProcessor).worker.opts.concurrency)).toEqual([4, 4]);
    for (const app of apps) {
      expect(app.get(EmailsProcessor).worker.opts.limiter).toBeUndefined();
      expect(app.get(PaymentInstructionsProcessor).worker.opts.limiter).toEqual({ max: 1, duration: 50 });
    }
  });

  it('each consume all queues of their own backend and no other', async () => {
    const sent = apps.map((app) => recordEmails(app));
    for (const [index, app] of apps.entries()) {
      expect(app.get(QueueConsumers).areRunning).toBe(true);
      await addEmailJob(app, `${index}`);
    }
    await until(
      () => sent.every((accountIds) => accountIds.length > 0),
      () => JSON.stringify(sent),
    );
    expect(sent).toEqual([['0'], ['1']]);
  });
});

describe.each(testedBackends())('a worker that stops, with the queue in %s', (backend) => {
  it('finishes its active jobs before the database is closed, and takes no more', async () => {
    const app = await start(backend, { WORKER_CONCURRENCY: '1' });
    const events: string[] = [];
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const dataSource = app.get(DataSource);
    const destroy = dataSource.destroy.bind(dataSource);
    jest.spyOn(dataSource, 'destroy').mockImplementation(async () => {
      events.push('database closed');
      await destroy();
    });
    const accountIds = recordEmails(app, async () => {
      await released;
      await dataSource.query('SELECT 1');
      events.push('job finished');
    });
    const queue = app.get(Queues).get('emails');
    await addEmailJob(app, '1');
    await until(() => accountIds.length === 1, 'no job was taken');
    await addEmailJob(app, '2');
    expect(await queue.getJobCounts('active', 'waiting')).toEqual({ active: 1, waiting: 1 });

    const closing = app.close();
    await until(() => app.get(EmailsProcessor).worker.closing !== undefined, 'the worker does not stop');
    expect(events).toEqual([]);
    release();
    await closing;
    expect(events).toEqual(['job finished', 'database closed']);
    expect(accountIds).toEqual(['1']);
  });
});
