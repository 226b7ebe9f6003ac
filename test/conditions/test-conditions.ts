import { chosenBackends, findRedisProgram, type TestedBackend } from '@portage/testing';
import type { Condition } from './conditions';
import { type Measurement, runCondition } from './run-condition';

/** What a run promises. */
interface Goals {
  answersAfterMs: number;
  endedAfterMs: number;
}

const GOALS: Goals = { answersAfterMs: 15_000, endedAfterMs: 60_000 };
const RUN_TIMEOUT_MS = 300_000;

/** Tests conditions with each seed on each of their backends. A failure prints the command that repeats it. */
export function testConditions(
  part: string,
  conditions: readonly Condition[],
  seeds: readonly number[],
  onSuccess?: (measurements: readonly Measurement[]) => void,
): void {
  const available: TestedBackend[] = findRedisProgram() ? ['postgres', 'redis'] : ['postgres'];
  const backends = chosenBackends(available);
  const runs = conditions.flatMap((condition) =>
    backends
      .filter((backend) => condition.backends.includes(backend))
      .flatMap((backend) => seeds.map((seed) => ({ condition, title: condition.title, backend, seed }))),
  );
  const measured: Measurement[] = [];

  describe(part, () => {
    it.each(runs)(
      '$title, queue in $backend, seed $seed',
      async ({ condition, backend, seed }) => {
        process.stderr.write(
          `Repeat with: npm run test:conditions -- ${part} --only ${condition.key} --backend ${backend} --seed ${seed}\n`,
        );
        const measurement = await runCondition(condition, backend, seed);
        process.stderr.write(`${summaryLine(measurement)}\n`);
        measured.push(measurement);
        expect(measurement.violations).toEqual([]);
        expect(measurement).toMatchObject({ lost: 0, doubled: 0, isFinished: true, idleTransactions: 0 });
        expect(measurement.affectedConnections).toBeGreaterThan(0);
        expect(measurement.stops.map(({ name, status }) => [name, status])).toEqual(
          measurement.stops.map(({ name }) => [name, 0]),
        );
        expect(measurement.endedAfterMs).toBeLessThan(GOALS.endedAfterMs);
        if (condition.affectsNewConnections) return;
        if (measurement.answersAfterMs >= GOALS.answersAfterMs)
          process.stderr.write(`${measurement.lastBadCalls.join('\n')}\n`);
        expect(measurement.answersAfterMs).toBeLessThan(GOALS.answersAfterMs);
      },
      RUN_TIMEOUT_MS,
    );

    afterAll(() => {
      if (measured.length === runs.length) onSuccess?.(measured);
    });
  });
}

function summaryLine({ condition, backend, seed, calls, stops, ...run }: Measurement): string {
  const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;
  const instances = Object.entries(run.byInstance).map(([name, time]) => `${name} ${seconds(time)}`);
  const ends = stops.map(({ name, status, milliseconds }) => `${name} ${status} ${seconds(milliseconds)}`);
  return (
    `${condition.key}, ${backend}, seed ${seed}: ${run.affectedConnections} connections, ${calls} calls, ` +
    `${run.accepted} accepted, ${run.lost} lost, ${run.doubled} doubled, ${run.violations.length} violations, ` +
    `answers after ${instances.join(', ')}; ended after ${seconds(run.endedAfterMs)}, ` +
    `${run.isFinished ? 'finished' : 'NOT FINISHED'}, ${run.idleTransactions} idle transactions; stopped ${ends.join(', ')}`
  );
}
