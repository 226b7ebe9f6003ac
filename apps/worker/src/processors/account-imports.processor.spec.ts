import { Test } from '@nestjs/testing';
import { DatabaseUnavailable } from '@portage/database';
import { ImportAccount, type ImportOutcome, PerformProcessingRequest } from '@portage/importing';
import { Logger, Metrics } from '@portage/observability';
import { type JobPayload, queueSettings } from '@portage/queues';
import { type Job, UnrecoverableError } from 'bullmq';
import { AccountImportsProcessor } from './account-imports.processor';

const ATTEMPTS = queueSettings['account-imports'].attempts;

type ImportJob = Job<JobPayload<'account-imports'>>;

const job = (attemptsMade = 0) =>
  ({
    id: 'process-7-2',
    name: 'import-account',
    attemptsMade,
    data: { processId: '7', version: 2, supplier: 'LEGACY', externalAccountNumber: 'N-1' },
  }) as ImportJob;

/** The processor on a use case whose results the tests set. */
async function processing(run: jest.Mock, performRequest = jest.fn()) {
  const metrics = new Metrics();
  const module = await Test.createTestingModule({
    providers: [
      AccountImportsProcessor,
      { provide: ImportAccount, useValue: { run } },
      { provide: PerformProcessingRequest, useValue: { run: performRequest } },
      { provide: Logger, useValue: new Logger({ LOG_LEVEL: 'silent' }, { maxDelayMs: 0 }) },
      { provide: Metrics, useValue: metrics },
    ],
  }).compile();
  const processor = module.get(AccountImportsProcessor);
  const counted = async () =>
    Object.fromEntries(
      (await metrics.imports.get()).values.map(({ labels, value }) => [labels['outcome'], value]),
    );
  return { processor, counted };
}

describe('a job of account-imports', () => {
  it.each(['processed', 'dry-run-succeeded', 'cancelled', 'outdated'] as const)(
    'that ends %s completes',
    async (kind) => {
      const { processor, counted } = await processing(
        jest.fn().mockResolvedValue({ kind } satisfies ImportOutcome),
      );
      await processor.process(job());
      expect(await counted()).toEqual({ [kind]: 1 });
    },
  );

  it('that ends errored shows as failed with its code, and is not retried', async () => {
    const { processor, counted } = await processing(
      jest.fn().mockResolvedValue({ kind: 'errored', code: 'some_code' }),
    );
    await expect(processor.process(job())).rejects.toThrow(new UnrecoverableError('some_code'));
    expect(await counted()).toEqual({ errored: 1 });
  });

  it.each([
    ['a code of the database', Object.assign(new Error('quotes "Maeve"'), { code: '40P01' }), '40P01'],
    ['no code', new Error('quotes "Maeve"'), 'unavailable'],
    ['an outage', new DatabaseUnavailable('quotes "Maeve"'), 'unavailable'],
  ])(
    'is retried after a transient failure; the queue stores %s and no message',
    async (_what, error, code) => {
      const { processor, counted } = await processing(jest.fn().mockRejectedValue(error));
      const failure: unknown = await processor.process(job()).catch((thrown: unknown) => thrown);
      expect(failure).toEqual(new Error(code));
      expect(failure).not.toBeInstanceOf(UnrecoverableError);
      expect(await counted()).toEqual({ retried: 1 });
    },
  );

  it('passes on its process, its version and whether this is the last attempt', async () => {
    const run = jest.fn().mockResolvedValue({ kind: 'processed' });
    const { processor } = await processing(run);
    for (let made = 0; made < ATTEMPTS; made += 1) await processor.process(job(made));
    const about = { processId: '7', version: 2 };
    expect(run.mock.calls).toEqual(
      Array.from({ length: ATTEMPTS }, (_, made) => [about, made === ATTEMPTS - 1]),
    );
  });

  it.each(['created', 'errored', 'outdated'] as const)(
    'that processes a staged account completes when the request ends %s, because its client is told',
    async (kind) => {
      const performRequest = jest.fn().mockResolvedValue(kind);
      const { processor, counted } = await processing(jest.fn(), performRequest);
      const data = { requestId: '9', supplier: 'LEGACY', externalAccountNumber: 'N-1' };
      await processor.process(Object.assign(job(), { name: 'process-account', data }));
      expect(performRequest.mock.calls).toEqual([['9', false]]);
      expect(await counted()).toEqual({ [kind]: 1 });
    },
  );
});
