import { DatabaseUnavailable, Logger } from '@portage/platform';
import type { PerformAdditions } from '@portage/submissions';
import { AdditionsProcessor } from './additions.processor';

const DATA = { organisationId: 1, supplier: 'LEGACY', submissionId: '4', shard: 2 };

async function process(perform: jest.Mock, stalledCounter = 0, name = 'perform-additions'): Promise<unknown> {
  const processor = new AdditionsProcessor(
    { perform } as unknown as PerformAdditions,
    new Logger({ LOG_LEVEL: 'silent' }),
  );
  const job = { id: 'additions-4-2-1', name, attemptsMade: 0, stalledCounter, data: DATA };
  return processor.process(job as Parameters<AdditionsProcessor['process']>[0]).then(
    () => 'completed',
    (error: unknown) => error,
  );
}

it('performs the additions of a shard', async () => {
  const perform = jest.fn().mockResolvedValue(512);
  expect(await process(perform)).toBe('completed');
  expect(perform.mock.calls).toEqual([[DATA, false]]);
});

it('performs them one by one after the worker has died twice', async () => {
  const perform = jest.fn().mockResolvedValue(1);
  expect(await process(perform, 2)).toBe('completed');
  expect(perform.mock.calls).toEqual([[DATA, true]]);
});

it('fails with an error code and no personal data, so that the queue retries', async () => {
  const error = new DatabaseUnavailable('quotes "Maeve"');
  expect(await process(jest.fn().mockRejectedValue(error))).toEqual(new Error('unavailable'));
});

it('refuses a job that it does not know', async () => {
  const perform = jest.fn();
  expect(await process(perform, 0, 'something-else')).toBeInstanceOf(Error);
  expect(perform).not.toHaveBeenCalled();
});
