import { Test } from '@nestjs/testing';
import {
  type ImportableVersion,
  ImportAccounts,
  ImportMetrics,
  type ImportOutcome,
  PerformProcessingRequest,
} from '@portage/imports';
import {
  DatabaseUnavailable,
  type JobPayload,
  JobProducer,
  Logger,
  Metrics,
  noTracing,
  queueSettings,
  Tracing,
} from '@portage/platform';
import { type Job, UnrecoverableError } from 'bullmq';
import { AccountImportsProcessor } from './account-imports.processor';

const ATTEMPTS = queueSettings['account-imports'].attempts;

type ImportJob = Job<JobPayload<'account-imports'>>;

const job = (attemptsMade = 0) =>
  ({
    id: 'process-7-2',
    name: 'import-account',
    attemptsMade,
    stalledCounter: 0,
    data: { processId: '7', version: 2, supplier: 'LEGACY', externalAccountNumber: 'N-1' },
  }) as ImportJob;

/** A use case with this outcome for each process of a batch: `processed` unless it is given by its id. */
const ending = (outcomes: Record<string, ImportOutcome>) =>
  jest.fn(async (versions: readonly ImportableVersion[]) =>
    Promise.resolve(versions.map(({ processId }) => outcomes[processId] ?? { kind: 'processed' })),
  );

const interrupted = (error: Error): ImportOutcome => ({ kind: 'interrupted', error });

/** The processor on a use case whose results the tests set. */
async function processing(importing: jest.Mock, performRequest = jest.fn()) {
  const metrics = new ImportMetrics(new Metrics());
  const add = jest.fn().mockResolvedValue(true);
  const module = await Test.createTestingModule({
    providers: [
      AccountImportsProcessor,
      { provide: ImportAccounts, useValue: { import: importing } },
      { provide: PerformProcessingRequest, useValue: { run: performRequest } },
      { provide: Logger, useValue: new Logger({ LOG_LEVEL: 'silent' }) },
      { provide: ImportMetrics, useValue: metrics },
      { provide: Tracing, useValue: noTracing },
      { provide: JobProducer, useValue: { add } },
    ],
  }).compile();
  const processor = module.get(AccountImportsProcessor);
  const counted = async () =>
    Object.fromEntries(
      (await metrics.imports.get()).values.map(({ labels, value }) => [labels['outcome'], value]),
    );
  return { processor, counted, add };
}

describe('a job of account-imports', () => {
  it.each([
    ['a code of the database', Object.assign(new Error('quotes "Maeve"'), { code: '40P01' }), '40P01'],
    ['no code', new Error('quotes "Maeve"'), 'unavailable'],
    ['an outage', new DatabaseUnavailable('quotes "Maeve"'), 'unavailable'],
  ])(
    'is retried after a transient failure; the queue stores %s and no message',
    async (_what, error, code) => {
      const { processor, counted } = await processing(ending({ '7': interrupted(error) }));
      const failure: unknown = await processor.process(job()).catch((thrown: unknown) => thrown);
      expect(failure).toEqual(new Error(code));
      expect(failure).not.toBeInstanceOf(UnrecoverableError);
      expect(await counted()).toEqual({ retried: 1 });
    },
  );

  it('passes on its process, its version, and whether this is the first run or the last attempt', async () => {
    const importing = ending({});
    const { processor } = await processing(importing);
    for (let made = 0; made < ATTEMPTS; made += 1) await processor.process(job(made));
    await processor.process(Object.assign(job(), { stalledCounter: 1 }));
    const about = [{ processId: '7', version: 2 }];
    expect(importing.mock.calls).toEqual([
      ...Array.from({ length: ATTEMPTS }, (_, made) => [
        about,
        { isFirstRun: made === 0, isLastAttempt: made === ATTEMPTS - 1 },
      ]),
      [about, { isFirstRun: false, isLastAttempt: false }],
    ]);
  });

  it.each(['created', 'errored', 'outdated'] as const)(
    'a job that processes a staged account completes when the request ends %s, because its client is told',
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

const SHARED = { organisationId: 1, supplier: 'LEGACY', submissionId: '5' };

const batch = (count: number, stalledCounter = 0) => {
  const processes = Array.from({ length: count }, (_, place) => ({
    processId: String(place),
    version: 1,
    externalAccountNumber: `N-${place}`,
  }));
  return Object.assign(job(), {
    id: 'batch-93',
    name: 'import-accounts',
    stalledCounter,
    data: { ...SHARED, processes },
  });
};

/** The job that an account of {@link batch} has of its own. */
const ownJob = (processId: string) => ({
  id: `process-${processId}-1`,
  name: 'import-account',
  payload: { ...SHARED, processId, version: 1, externalAccountNumber: `N-${processId}` },
});

describe('a job of a batch', () => {
  it('is retried if the queue does not accept the jobs of single accounts', async () => {
    const { processor, add } = await processing(ending({ '1': { kind: 'errored', code: 'some_code' } }));
    add.mockResolvedValue(false);
    await expect(processor.process(batch(3))).rejects.toThrow(new Error('unavailable'));
  });

  it('gives each account a job of its own after its worker has died twice', async () => {
    const importing = ending({});
    const { processor, add } = await processing(importing);
    await processor.process(batch(3, 2));
    expect(importing).not.toHaveBeenCalled();
    expect(add.mock.calls).toEqual([['account-imports', ['0', '1', '2'].map(ownJob)]]);
  });
});
