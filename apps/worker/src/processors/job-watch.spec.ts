import { Metrics } from '@portage/observability';
import { type Job, UnrecoverableError } from 'bullmq';
import { JobWatch } from './job-watch';

const job = (attemptsMade = 0) => ({ attemptsMade, opts: { attempts: 3 } }) as Job;

function watching() {
  const metrics = new Metrics();
  const counted = async (counter: 'jobFailures' | 'jobRetries') =>
    (await metrics[counter].get()).values.map(({ labels, value }) => ({ ...labels, value }));
  return { watch: new JobWatch(metrics), counted };
}

const fails = (error: Error) => async () => Promise.reject(error);

describe('what is counted of jobs', () => {
  it('is nothing of a job that has done its work', async () => {
    const { watch, counted } = watching();
    await watch.over('emails', job(), async () => Promise.resolve());
    expect([await counted('jobFailures'), await counted('jobRetries')]).toEqual([[], []]);
  });

  it.each([
    ['the first attempt, which is followed by another', job(0), new Error('40P01'), 1],
    ['the last attempt', job(2), new Error('40P01'), 0],
    ['an attempt that ended it for good', job(0), new UnrecoverableError('40P01'), 0],
  ])('is the failure, with its code, of %s', async (_what, failing, error, retries) => {
    const { watch, counted } = watching();
    await expect(watch.over('emails', failing, fails(error))).rejects.toBe(error);
    expect(await counted('jobFailures')).toEqual([{ queue: 'emails', code: '40P01', value: 1 }]);
    expect(await counted('jobRetries')).toEqual(retries ? [{ queue: 'emails', value: 1 }] : []);
  });

  it('has no words of an error that brought no code', async () => {
    const { watch, counted } = watching();
    const error = new Error('invalid input "Maeve"');
    await expect(watch.over('emails', job(), fails(error))).rejects.toBe(error);
    expect(await counted('jobFailures')).toEqual([{ queue: 'emails', code: 'error', value: 1 }]);
  });
});

it('a job is in hand until it has ended, however it ends', async () => {
  const { watch } = watching();
  let end: (error?: Error) => void = () => undefined;
  const running = watch.over(
    'emails',
    job(),
    async () =>
      new Promise((resolve, reject) => {
        end = (error) => {
          if (error) reject(error);
          else resolve();
        };
      }),
  );
  expect([watch.activeJobs('emails').taken, watch.activeJobs('emails').takenAt.size]).toEqual([1, 1]);
  expect(watch.activeJobs('transactions').takenAt.size).toBe(0);
  end(new Error('error'));
  await expect(running).rejects.toThrow();
  expect([watch.activeJobs('emails').taken, watch.activeJobs('emails').takenAt.size]).toEqual([1, 0]);
});
