import { testedBackends } from '@portage/testing';
import { useApplication } from '@portage/testing/application';
import { JobSchedules } from './job-schedules';
import { Queues } from './queues';
import { SCHEDULES } from './schedules';

describe.each(testedBackends())('scheduled jobs (%s)', (backend) => {
  const test = useApplication(backend);

  const names = SCHEDULES.map(({ name }) => name).sort();

  async function waiting(): Promise<string[]> {
    const jobs = await test.app.get(Queues).get('maintenance').getJobs(['delayed', 'waiting']);
    return jobs.map(({ name }) => name).sort();
  }

  it('are created once by many workers that start together, with one job for each due time', async () => {
    const schedules = test.app.get(JobSchedules);
    await Promise.all(Array.from({ length: 8 }, async () => schedules.ensure()));
    expect(await waiting()).toEqual(names);
    expect(await schedules.ensure()).toBe(0);
  });

  it('are created again after the queue has lost them', async () => {
    await test.app.get(Queues).get('maintenance').obliterate({ force: true });
    for (const { name } of SCHEDULES) await test.app.get(Queues).get('maintenance').removeJobScheduler(name);
    expect(await waiting()).toEqual([]);
    expect(await test.app.get(JobSchedules).ensure()).toBe(SCHEDULES.length);
    expect(await waiting()).toEqual(names);
  });
});
