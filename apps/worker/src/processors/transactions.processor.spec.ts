import { Test } from '@nestjs/testing';
import { type AddingOutcome, ProcessTransactionsRequests } from '@portage/accounts';
import { DatabaseUnavailable, JobProducer, Logger, noTracing, Tracing } from '@portage/platform';
import { UnrecoverableError } from 'bullmq';
import { TransactionsProcessor } from './transactions.processor';

const PAYLOAD = { requestId: '7', supplier: 'LEGACY', externalAccountNumber: 'N-1' };

const job = (name = 'add-transactions', data: object = PAYLOAD, stalledCounter = 0) =>
  ({ id: 'account-request-7', name, attemptsMade: 0, stalledCounter, data }) as Parameters<
    TransactionsProcessor['process']
  >[0];

const jobOfSeveral = (stalledCounter = 0) => {
  const requests = ['7', '8', '9'].map((requestId) => ({
    requestId,
    externalAccountNumber: `N-${requestId}`,
  }));
  return job('add-transactions-batch', { organisationId: 1, supplier: 'LEGACY', requests }, stalledCounter);
};

/** A use case that ends the requests with these outcomes. An error is a transient failure of its request. */
const ending = (...outcomes: (AddingOutcome | Error)[]) =>
  jest
    .fn()
    .mockResolvedValue(
      outcomes.map((outcome) =>
        outcome instanceof Error
          ? { status: 'rejected', reason: outcome }
          : { status: 'fulfilled', value: outcome },
      ),
    );

/** The result of the job, or the error that the queue stores. */
async function resultOf(
  run: jest.Mock,
  processed = job(),
  add = jest.fn().mockResolvedValue(true),
): Promise<unknown> {
  const module = await Test.createTestingModule({
    providers: [
      TransactionsProcessor,
      { provide: ProcessTransactionsRequests, useValue: { run } },
      { provide: JobProducer, useValue: { add } },
      { provide: Tracing, useValue: noTracing },
      { provide: Logger, useValue: new Logger({ LOG_LEVEL: 'silent' }) },
    ],
  }).compile();
  return module
    .get(TransactionsProcessor)
    .process(processed)
    .then(
      () => 'completed',
      (error: unknown) => error,
    );
}

const unavailable = () => new DatabaseUnavailable('quotes "Maeve"');

describe('a job of transactions', () => {
  it.each(['added', 'outdated', 'refused'] as const)(
    'a job that ends %s completes, after its one request',
    async (outcome) => {
      const run = ending(outcome);
      expect(await resultOf(run)).toBe('completed');
      expect(run.mock.calls).toEqual([[['7']]]);
    },
  );

  it('is retried after a transient failure, and the queue stores a code and no message', async () => {
    for (const run of [ending(unavailable()), jest.fn().mockRejectedValue(unavailable())]) {
      const failure = await resultOf(run);
      expect(failure).toEqual(new Error('unavailable'));
      expect(failure).not.toBeInstanceOf(UnrecoverableError);
    }
  });

  it('shows as failed after an internal error, and is not retried', async () => {
    const failure = await resultOf(ending('failed'));
    expect(failure).toBeInstanceOf(UnrecoverableError);
    expect(failure).toEqual(new UnrecoverableError('error'));
  });

  describe('a job of several requests', () => {
    it('performs them together, and completes', async () => {
      const run = ending('outdated', 'added', 'refused');
      expect(await resultOf(run, jobOfSeveral())).toBe('completed');
      expect(run.mock.calls).toEqual([[['7', '8', '9']]]);
    });

    it('shows as failed if one ends with an internal error', async () => {
      const failure = await resultOf(ending('failed', 'added', 'added'), jobOfSeveral());
      expect(failure).toEqual(new UnrecoverableError('error'));
    });

    it('is retried after a transient failure of one request', async () => {
      const failure = await resultOf(ending('added', unavailable(), 'added'), jobOfSeveral());
      expect(failure).toEqual(new Error('unavailable'));
      expect(failure).not.toBeInstanceOf(UnrecoverableError);
    });

    it('performs each in its own trace', async () => {
      const spans = jest.spyOn(noTracing, 'inChildSpan');
      const several = jobOfSeveral();
      for (const [nth, request] of (several.data as unknown as { requests: object[] }).requests.entries())
        Object.assign(request, { traceparent: `00-trace-${nth}` });
      await resultOf(ending('added', 'added', 'added'), several);
      expect(spans.mock.calls.map(([name, { parent }]) => [name, parent])).toEqual(
        [0, 1, 2].map((nth) => ['add transactions', `00-trace-${nth}`]),
      );
      spans.mockRestore();
    });

    it('gives each a job of its own after its worker has died twice', async () => {
      const [run, add] = [jest.fn(), jest.fn().mockResolvedValue(true)];
      expect(await resultOf(run, jobOfSeveral(2), add)).toBe('completed');
      expect(run).not.toHaveBeenCalled();
      expect(add.mock.calls).toEqual([
        [
          'transactions',
          ['7', '8', '9'].map((requestId) => ({
            id: `account-request-${requestId}`,
            name: 'add-transactions',
            payload: { ...PAYLOAD, requestId, externalAccountNumber: `N-${requestId}`, organisationId: 1 },
          })),
        ],
      ]);
      const unanswered = await resultOf(run, jobOfSeveral(2), jest.fn().mockResolvedValue(false));
      expect(unanswered).toEqual(new Error('unavailable'));
    });
  });

  it('fails at once under a name that this release does not know, and adds nothing', async () => {
    const run = jest.fn();
    const unknown = job('add-transactions-later');
    expect(await resultOf(run, unknown)).toEqual(new UnrecoverableError('unknown_job_name'));
    expect(run).not.toHaveBeenCalled();
  });
});
