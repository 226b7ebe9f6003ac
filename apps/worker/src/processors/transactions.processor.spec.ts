import { DatabaseUnavailable } from '@portage/database';
import type { ProcessTransactionsRequest } from '@portage/importing';
import type { Logger } from '@portage/observability';
import { UnrecoverableError } from 'bullmq';
import { TransactionsProcessor } from './transactions.processor';

const PAYLOAD = { requestId: '7', supplier: 'LEGACY', externalAccountNumber: 'N-1' };

const job = (name = 'add-transactions', data: object = PAYLOAD) =>
  ({ id: 'account-request-7', name, attemptsMade: 0, data }) as Parameters<
    TransactionsProcessor['process']
  >[0];

/** The result of the job, or the error that the queue stores. */
async function resultOf(run: jest.Mock, processed = job()): Promise<unknown> {
  const log = () => undefined;
  const logger = { detail: log, warning: log } as unknown as Logger;
  const processor = new TransactionsProcessor({ run } as unknown as ProcessTransactionsRequest, logger);
  return processor.process(processed).then(
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

  it('fails without a retry if its name is unknown to this release', async () => {
    const run = jest.fn();
    const unknown = job('add-transactions-together', { requests: [PAYLOAD] });
    expect(await resultOf(run, unknown)).toEqual(new UnrecoverableError('unknown_job_name'));
    expect(run).not.toHaveBeenCalled();
  });
});
