import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Installation } from '@portage/testing/installation';
import type { Call, Clients } from '@portage/testing/promises';
import { newDirectory } from '@portage/testing/test-directory';
import { readDelays } from './isolation/event-loop-samples';
import { allowedMs, Latencies } from './isolation/latencies';
import { Probes } from './probes';
import { unevenShares } from './scale/workers';

/** The bounds that single scenarios set, beside what the checker compares: each exceeds them by damaged figures. */
describe('what a scenario judges by itself', () => {
  const FAULT_AT = 1_000;
  const HEALED_AT = 30_000;
  const good: Call = {
    operation: 'status',
    instance: 'api-1',
    account: 'A-1',
    startedAt: 2_000,
    endedAt: 2_010,
    status: 200,
  };
  const settle = (...damaged: readonly Partial<Call>[]) => {
    const installation = { programs: [{ name: 'api-1' }, { name: 'worker-1' }] };
    const calls = [good, ...damaged.map((change) => ({ ...good, ...change }))];
    const probes = new Probes(installation as Installation, { calls } as Clients, 'A-1');
    return probes.settle(FAULT_AT, HEALED_AT).byProgram;
  };

  it.each([
    ['an answer of 500', { status: 503, endedAt: 21_000 }, 20_000],
    ['a call without an answer', { status: 0, endedAt: 21_000 }, 20_000],
    ['a slow answer', { endedAt: 7_100 }, 6_100],
    ['a refusal', { status: 409, endedAt: 2_100 }, 0],
    ['a failure before the fault', { status: 503, startedAt: 1, endedAt: 2 }, 0],
    ['a failure after the heal', { status: 503, startedAt: 30_001, endedAt: 30_100 }, 0],
  ])('programs answer well after the last failed or slow call of the fault: %s', (_what, damage, ms) => {
    expect(settle()).toEqual({ 'api-1': 0, 'worker-1': 0 });
    expect(settle(damage)).toEqual({ 'api-1': ms, 'worker-1': 0 });
    expect(settle({ ...damage, instance: 'worker-1' })).toEqual({ 'api-1': 0, 'worker-1': ms });
  });

  it('a victim may be slower than alone by the allowed share only', () => {
    const limits = { share: 0.9, timesAlone: 2, timesBeside: 1.5, fastMs: 20 };
    const alone = new Latencies([30, 10, 10, 10, 10, 10, 10, 10, 10, 10]);
    expect(allowedMs({ alone, beside: undefined }, limits)).toBe(20);
    expect(allowedMs({ alone: new Latencies([40, 50]), beside: undefined }, limits)).toBe(100);
    expect(allowedMs({ alone, beside: new Latencies([80]) }, limits)).toBe(120);
    const attacked = new Latencies([...Array<number>(8).fill(10), 500, 600]);
    expect(attacked.quantile(limits.share)).toBe(500);
  });

  it('workers have even shares up to a third more or less', () => {
    expect(unevenShares([670, 1_330])).toEqual([]);
    expect(unevenShares([640, 1_360])).toEqual([640, 1_360]);
    expect(unevenShares([900, 900, 900, 1_700])).toEqual([1_700]);
    expect(unevenShares([2_000, 0])).toEqual([2_000, 0]);
  });

  it('the event loop is as late as its longest own delay in the time of the attack', () => {
    const folder = newDirectory();
    const file = join(folder, 'samples');
    // The second was delayed by the machine; the others lie outside of the attack.
    const samples = [
      [1, 900, 900],
      [10, 2, 2],
      [11, 400, 3],
      [12, 250, 240],
      [99, 900, 900],
    ];
    writeFileSync(file, samples.map((sample) => `${JSON.stringify(sample)}\n`).join(''));
    expect(readDelays(file, 10, 20)).toMatchObject({ samples: 3, max: 240, maxByClock: 400 });
  });
});
