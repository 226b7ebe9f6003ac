import { IMPORT_PROCESS_STATUSES, statusesAllowing } from './status';
import { skipReasonOf, steerableStatuses, STEERING_EVENTS, type SteeringAction } from './steering';

const ACTIONS = Object.keys(STEERING_EVENTS) as SteeringAction[];

describe('an action on selected processes', () => {
  it.each(ACTIONS)('%s includes all states of its transition if the selection names the state', (action) => {
    expect(steerableStatuses(action, true)).toEqual(statusesAllowing(action));
  });

  it('skips processes that were cancelled or wait for their release if the selection names no state', () => {
    expect(steerableStatuses('retry', false)).toEqual(['DRY_RUN_ERRORED', 'ERRORED']);
    expect(steerableStatuses('cancel', false)).toEqual(['PENDING']);
  });
});

describe('a process is skipped', () => {
  it.each(ACTIONS)('by %s in any other state with that state as the reason', (action) => {
    const from = steerableStatuses(action, true);
    const others = IMPORT_PROCESS_STATUSES.filter((status) => !from.includes(status));
    expect(others.length).toBeGreaterThan(0);
    for (const status of others) expect(skipReasonOf(action, from, { status, isDryRun: true })).toBe(status);
  });

  it.each(['release', 'cancel'] as const)(
    'by %s if it has ended with the dry run that was asked for',
    (action) => {
      const rehearsed = { status: 'DRY_RUN_SUCCEEDED', isDryRun: true } as const;
      expect(skipReasonOf(action, steerableStatuses(action, true), rehearsed)).toBe('is_dry_run');
    },
  );

  it.each([
    ['release', 'DRY_RUN_SUCCEEDED', false],
    ['cancel', 'PENDING', true],
    ['cancel', 'DRY_RUN_SUCCEEDED', false],
    ['retry', 'DRY_RUN_ERRORED', true],
  ] as const)('by %s from %s only if it changed concurrently', (action, status, isDryRun) => {
    expect(skipReasonOf(action, steerableStatuses(action, true), { status, isDryRun })).toBe(
      'changed_meanwhile',
    );
  });
});
