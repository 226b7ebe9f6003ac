import { Test } from '@nestjs/testing';
import { DatabaseUnavailable } from '@portage/database';
import { ProcessTransactionsRequest } from '@portage/importing';
import { Logger } from '@portage/observability';
import { UnrecoverableError } from 'bullmq';
import { TransactionsProcessor } from './transactions.processor';

const PAYLOAD = { requestId: '7', supplier: 'LEGACY', externalAccountNumber: 'N-1' };

const job = (name = 'add-transactions', data: object = PAYLOAD) =>
  ({ id: 'account-request-7', name, attemptsMade: 0, data }) as Parameters<
    TransactionsProcessor['process']
  >[0];

/** The result of the job, or the error that the queue stores. */
async function resultOf(run: jest.Mock, processed = job()): Promise<unknown> {
  const module = await Test.createTestingModule({
    providers: [
      TransactionsProcessor,
      { provide: ProcessTransactionsRequest, useValue: { run } },
      { provide: Logger, useValue: new Logger({ LOG_LEVEL: 'silent' }, { maxDelayMs: 0 }) },
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

describe('a job of transactions', () => {
  it.each(['added', 'outdated'])('that ends %s completes, after its one request', async (outcome) => {
    const run = jest.fn().mockResolvedValue(outcome);
    expect(await resultOf(run)).toBe('completed');
    expect(run.mock.calls).toEqual([['7']]);
  });

  it('is retried after a transient failure, and the queue stores a code and no message', async () => {
    const failure = await resultOf(jest.fn().mockRejectedValue(new DatabaseUnavailable('quotes "Maeve"')));
    expect(failure).toEqual(new Error('unavailable'));
    expect(failure).not.toBeInstanceOf(UnrecoverableError);
  });

  it('shows as failed after an internal error, and is not retried', async () => {
    const failure = await resultOf(jest.fn().mockResolvedValue('failed'));
    expect(failure).toBeInstanceOf(UnrecoverableError);
    expect(failure).toEqual(new UnrecoverableError('error'));
  });

  describe('of release 0.1.0 with several requests', () => {
    const severalRequests = job('add-transactions-together', {
      requests: ['7', '8', '9'].map((requestId) => ({ ...PAYLOAD, requestId })),
    });

    it('completes after each of its requests', async () => {
      const run = jest.fn().mockResolvedValueOnce('outdated').mockResolvedValue('added');
      expect(await resultOf(run, severalRequests)).toBe('completed');
      expect(run.mock.calls).toEqual([['7'], ['8'], ['9']]);
    });

    it('performs the other requests if one ends with an internal error, and shows as failed', async () => {
      const run = jest.fn().mockResolvedValueOnce('failed').mockResolvedValue('added');
      expect(await resultOf(run, severalRequests)).toEqual(new UnrecoverableError('error'));
      expect(run.mock.calls).toEqual([['7'], ['8'], ['9']]);
    });

    it('is retried after a transient failure of one request', async () => {
      const run = jest
        .fn()
        .mockResolvedValueOnce('added')
        .mockRejectedValue(new DatabaseUnavailable('quotes "Maeve"'));
      const failure = await resultOf(run, severalRequests);
      expect(failure).toEqual(new Error('unavailable'));
      expect(failure).not.toBeInstanceOf(UnrecoverableError);
    });
  });

  it('fails at once under a name that this release does not know, and adds nothing', async () => {
    const run = jest.fn();
    const unknown = job('add-transactions-later');
    expect(await resultOf(run, unknown)).toEqual(new UnrecoverableError('unknown_job_name'));
    expect(run).not.toHaveBeenCalled();
  });
});
