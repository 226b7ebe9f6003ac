import { StoredProcesses, useApplication } from '@portage/testing/application';
import { steerableStatuses } from './steering';
import { ImportProcessSteeringRepository, type Steering } from './import-process-steering.repository';

// import-process-transitions.int-spec.ts tests the effect of each action on each status, and
// steer-import-processes.int-spec.ts the selection of processes.

const test = useApplication();
const stored = new StoredProcesses(test);
let steering: ImportProcessSteeringRepository;

beforeAll(async () => {
  steering = test.app.get(ImportProcessSteeringRepository);
});
beforeEach(async () => {
  await stored.removeAll();
});

const HOUR = 3_600_000;
const retrying: Steering = {
  action: 'retry',
  from: steerableStatuses('retry', true),
  actor: 'operator:test',
};

const steerAll = async () => {
  const selected = await steering.select(retrying, { supplierId: test.supplier.id }, '0', 100);
  return steering.steer(
    retrying,
    selected.map(({ id }) => id),
  );
};

describe('steering a selection of processes', () => {
  it('does not find the processes of another supplier', async () => {
    const { number } = await stored.inState('ERRORED');
    const other = { supplierId: test.supplier.id + 1 };
    expect(await steering.select(retrying, other, '0', 100)).toEqual([]);
    expect(await steering.findId({ ...other, externalAccountNumber: number })).toBeUndefined();
  });

  it('changes each process once when several operators run it concurrently, without a deadlock', async () => {
    for (let place = 0; place < 40; place += 1) await stored.inState('ERRORED');
    const operators = Array.from({ length: 6 }, async () => steerAll());
    const moved = (await Promise.all(operators)).flat().filter(({ version }) => version !== null);
    expect(moved).toHaveLength(40);
    expect(await stored.sql(`SELECT 1 FROM import_process_event WHERE event = 'RETRIED'`)).toHaveLength(40);
  });
});

describe('the schedule window of a retried process', () => {
  const one = async ({ processId }: { processId: string }) =>
    (await steering.steer(retrying, [processId]))[0];

  it('is removed if it has been missed, so that it does not cancel the retry', async () => {
    const missed = await stored.inState('CANCELLED', {
      scheduleWindowEnd: new Date(Date.now() - HOUR).toISOString(),
    });
    expect(await one(missed)).toMatchObject({ version: 2, isDue: true });
    expect((await stored.read(missed)).row.schedule_window_end).toBeNull();
  });

  it('is unchanged if it has not opened yet', async () => {
    const [opens, closes] = [new Date(Date.now() + HOUR), new Date(Date.now() + 2 * HOUR)];
    const cancelled = await stored.inState('PENDING', {
      scheduleWindowStart: opens.toISOString(),
      scheduleWindowEnd: closes.toISOString(),
    });
    await steering.steer(
      { action: 'cancel', from: steerableStatuses('cancel', true), actor: 'operator:test' },
      [cancelled.processId],
    );
    expect(await one(cancelled)).toMatchObject({ version: 3, isDue: false });
    const { row } = await stored.read(cancelled);
    expect(
      [row.enqueued_at, row.schedule_window_start, row.schedule_window_end].map((at) => Date.parse(at!)),
    ).toEqual([opens.getTime(), opens.getTime(), closes.getTime()]);
  });
});
