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

describe('a process', () => {
  it.each(ACTIONS)('is skipped by %s in any other state, with that state as the reason', (action) => {
    const from = steerableStatuses(action, true);
    const others = IMPORT_PROCESS_STATUSES.filter((status) => !from.includes(status));
    expect(others.length).toBeGreaterThan(0);
    for (const status of others) expect(skipReasonOf(from, { status, isErased: true })).toBe(status);
  });

  it('is skipped by a release if it is a dry run', () => {
    const staged = { status: 'DRY_RUN_SUCCEEDED', isErased: false } as const;
    expect(skipReasonOf(['DRY_RUN_SUCCEEDED'], staged)).toBe('is_dry_run');
  });

  it('is skipped by a retry if its account was erased', () => {
    expect(skipReasonOf(['ERRORED'], { status: 'ERRORED', isErased: true })).toBe('payload_erased');
  });
});
