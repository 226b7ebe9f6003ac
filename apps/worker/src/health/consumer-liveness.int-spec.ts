import { type QueueName, Queues } from '@portage/platform';
import { staysTrue, type TestedBackend, testedBackends, until } from '@portage/testing';
import { Client } from 'pg';
import { startWorker, type WorkerUnderTest } from '../../test/worker-under-test';
import { DocumentsProcessor } from '../processors/documents.processor';
import { EmailsProcessor } from '../processors/emails.processor';
import { ConsumerLiveness } from './consumer-liveness';

const STUCK_MS = 600;
const CONCURRENCY = 2;

const start = async (backend: TestedBackend) =>
  startWorker(backend, {
    WORKER_STUCK_MS: String(STUCK_MS),
    WORKER_CONCURRENCY: String(CONCURRENCY),
  });

const stuckQueues = ({ app }: WorkerUnderTest): QueueName[] => app.get(ConsumerLiveness).stuck;

describe.each(testedBackends())('the liveness of a worker (%s)', (backend) => {
  let worker: WorkerUnderTest;

  beforeEach(async () => {
    worker = await start(backend);
  });
  afterEach(async () => {
    await worker.app.close();
  });

  const becomes = async (stuck: QueueName[]) =>
    until(
      () => stuckQueues(worker).join() === stuck.join(),
      () => `stuck: ${stuckQueues(worker).join()}`,
      STUCK_MS * 10,
    );
  const add = async (queue: QueueName, count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1)
      await worker.app.get(Queues).get(queue).add('send-welcome-email', { accountId: '1' });
  };
  const stays = async (stuck: QueueName[]): Promise<void> =>
    staysTrue(() => stuckQueues(worker).join() === stuck.join(), STUCK_MS * 2);

  it('is given while there are no jobs, and lost when the worker of a queue was closed', async () => {
    await stays([]);
    await worker.app.get(EmailsProcessor).worker.close();
    await becomes(['emails']);
  });

  it('is lost when the main loop of a queue has ended', async () => {
    await worker.app.get(DocumentsProcessor).worker.pause(true);
    await becomes(['documents']);
  });

  it('is lost when all jobs up to the concurrency limit hang, and given again once one has ended', async () => {
    const client = new Client({ connectionString: worker.databaseUrl });
    await client.connect();
    try {
      await client.query('BEGIN; LOCK welcome_email IN ACCESS EXCLUSIVE MODE');
      await add('emails', CONCURRENCY - 1);
      await stays([]);
      await add('emails', 1);
      await becomes(['emails']);
      await client.query('ROLLBACK');
      await becomes([]);
    } finally {
      await client.end();
    }
  });

  it('is lost when jobs wait and none is taken although there is capacity', async () => {
    const emails = worker.app.get(EmailsProcessor).worker;
    // As on a connection that was lost without an error: the main loop waits for an answer for ever.
    const inner = emails['backend'];
    let answers: (() => void)[] = [];
    const moveToActive = inner.moveToActive.bind(inner);
    jest.spyOn(inner, 'moveToActive').mockImplementation(async (...call) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return moveToActive(...call);
    });
    await add('emails', 3);
    await becomes(['emails']);
    jest.restoreAllMocks();
    for (const answer of answers) answer();
    answers = [];
    await becomes([]);
  });

  it('is given when jobs wait in a queue that an operator has paused', async () => {
    await worker.app.get(Queues).get('emails').pause();
    await add('emails', 3);
    await stays([]);
  });
});

it('a worker that stops reports no stuck queue', async () => {
  const worker = await start('postgres');
  await worker.app.close();
  expect(stuckQueues(worker)).toEqual([]);
});
