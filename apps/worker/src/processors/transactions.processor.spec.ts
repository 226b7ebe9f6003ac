import { DatabaseUnavailable } from '@portage/database';
import type { ProcessTransactionsRequest } from '@portage/importing';
import type { Logger } from '@portage/observability';
import { addTransactionsJob } from '@portage/queues';
import { type Job, UnrecoverableError } from 'bullmq';
import { TransactionsProcessor } from './transactions.processor';

const about = (requestId: string) => ({ requestId, supplier: 'LEGACY', externalAccountNumber: 'N-1' });

const job = (ids: readonly string[], again: Partial<Job> = {}) => {
  const { id, payload } = addTransactionsJob(ids.map(about));
  return { id, data: payload, attemptsMade: 0, stalledCounter: 0, ...again } as Parameters<
    TransactionsProcessor['process']
  >[0];
};

/** Notes which requests begin and end, in their order; each ends a turn of the event loop later. */
function processing(outcomes: Record<string, string | Error> = {}) {
  const seen: string[] = [];
  const run = async (id: string) => {
    seen.push(`${id} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(`${id} ends`);
    const outcome = outcomes[id] ?? 'added';
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const say = () => undefined;
  const logger = { detail: say, warning: say } as unknown as Logger;
  return {
    seen,
    processor: new TransactionsProcessor({ run } as unknown as ProcessTransactionsRequest, logger),
  };
}

describe('a job of transactions', () => {
  it('does one request, or several together', async () => {
    const { seen, processor } = processing();
    await processor.process(job(['1']));
    expect(seen.splice(0)).toEqual(['1 begins', '1 ends']);
    await processor.process(job(['1', '2']));
    expect(seen).toEqual(['1 begins', '2 begins', '1 ends', '2 ends']);
  });

  it.each([{ attemptsMade: 1 }, { stalledCounter: 1 }])(
    'that is taken up again (%p) does them one by one, for one of them may bring its worker down',
    async (again) => {
      const { seen, processor } = processing();
      await processor.process(job(['1', '2'], again));
      expect(seen).toEqual(['1 begins', '1 ends', '2 begins', '2 ends']);
    },
  );

  it('comes back for one that met a failure that will pass, after all others have ended', async () => {
    const { seen, processor } = processing({ 1: new DatabaseUnavailable(), 2: 'failed' });
    const failure = await processor.process(job(['1', '2', '3'])).catch((error: unknown) => error);
    expect(failure).not.toBeInstanceOf(UnrecoverableError);
    expect(failure).toMatchObject({ message: 'unavailable' });
    expect(seen).toHaveLength(6);
  });

  it('shows as failed when one has ended in a fault of ours', async () => {
    const { processor } = processing({ 2: 'failed' });
    await expect(processor.process(job(['1', '2']))).rejects.toThrow(new UnrecoverableError('error'));
    await expect(processing().processor.process(job(['1', '2']))).resolves.toBeUndefined();
  });
});
