import { Metrics } from '@portage/platform';
import { type Job, UnrecoverableError } from 'bullmq';
import { JobMonitor } from './job-monitor';

const job = (attemptsMade = 0, failedReason?: string) =>
  ({ queueName: 'emails', attemptsMade, failedReason, opts: { attempts: 3 } }) as Job;
const AWAITED = 'path_does_not_exist_in_file_store';

function newMonitor() {
  const metrics = new Metrics();
  const counted = async (counter: 'jobFailures' | 'jobRetries') =>
    (await metrics[counter].get()).values.map(({ labels, value }) => ({ ...labels, value }));
  return { monitor: new JobMonitor(metrics), counted };
}

const fails = (error: Error) => async () => Promise.reject(error);

describe('the metrics of jobs', () => {
  it('count no failure of a job that completes', async () => {
    const { monitor, counted } = newMonitor();
    await monitor.run(job(), async () => Promise.resolve());
    expect([await counted('jobFailures'), await counted('jobRetries')]).toEqual([[], []]);
  });

  it.each([
    ['the first attempt, which is retried', job(0), new Error('40P01'), 1],
    ['the last attempt after others without a file', job(2, AWAITED), new Error('40P01'), 0],
    ['an attempt that ended the job for good', job(0), new UnrecoverableError('40P01'), 0],
  ])('count the failure, with its code, of %s', async (_what, failing, error, retries) => {
    const { monitor, counted } = newMonitor();
    await expect(monitor.run(failing, fails(error))).rejects.toBe(error);
    expect(await counted('jobFailures')).toEqual([{ queue: 'emails', code: '40P01', value: 1 }]);
    expect(await counted('jobRetries')).toEqual(retries ? [{ queue: 'emails', value: 1 }] : []);
  });

  it('count a job once, however many of its attempts fail', async () => {
    const { monitor, counted } = newMonitor();
    const error = new Error('40P01');
    await expect(monitor.run(job(), fails(error))).rejects.toBe(error);
    for (const attempt of [1, 2])
      await expect(monitor.run(job(attempt, '40P01'), fails(error))).rejects.toBe(error);
    expect(await counted('jobFailures')).toEqual([{ queue: 'emails', code: '40P01', value: 1 }]);
    expect(await counted('jobRetries')).toEqual([{ queue: 'emails', value: 2 }]);
  });

  it('count a job that waits for a file as failed when it ends without one', async () => {
    const { monitor, counted } = newMonitor();
    for (const attempt of [0, 1])
      await expect(monitor.run(job(attempt, AWAITED), fails(new Error(AWAITED)))).rejects.toThrow();
    expect(await counted('jobFailures')).toEqual([]);
    await expect(monitor.run(job(2, AWAITED), fails(new UnrecoverableError(AWAITED)))).rejects.toThrow();
    expect(await counted('jobFailures')).toEqual([{ queue: 'emails', code: AWAITED, value: 1 }]);
  });

  it('contain no text of an error without a code', async () => {
    const { monitor, counted } = newMonitor();
    const error = new Error('invalid input "Maeve"');
    await expect(monitor.run(job(), fails(error))).rejects.toBe(error);
    expect(await counted('jobFailures')).toEqual([{ queue: 'emails', code: 'error', value: 1 }]);
  });
});

it('a job is active until it has ended, however it ends', async () => {
  const { monitor } = newMonitor();
  let end: (error?: Error) => void = () => undefined;
  const running = monitor.run(
    job(),
    async () =>
      new Promise((resolve, reject) => {
        end = (error) => {
          if (error) reject(error);
          else resolve(undefined);
        };
      }),
  );
  const emails = () => monitor.activeJobs('emails');
  expect([emails().takenCount, emails().takenAt.size]).toEqual([1, 1]);
  expect(monitor.activeJobs('transactions').takenAt.size).toBe(0);
  end(new Error('error'));
  await expect(running).rejects.toThrow();
  expect([emails().takenCount, emails().takenAt.size]).toEqual([1, 0]);
});
