import { IMPORT_PROCESS_STATUSES, statusesAllowing } from './status';
import { passedOver, steeredFrom, STEERING_EVENTS, type SteeringAction } from './steering';

const ACTIONS = Object.keys(STEERING_EVENTS) as SteeringAction[];

describe('what an operator steers', () => {
  it.each(ACTIONS)('%s: all that its transition allows, when cancelled processes are named', (action) => {
    expect(steeredFrom(action, true)).toEqual(statusesAllowing(action));
  });

  it('leaves cancelled processes alone where they are not named', () => {
    expect(steeredFrom('retry', false)).toEqual(['DRY_RUN_ERRORED', 'ERRORED']);
  });
});

describe('a process is passed over', () => {
  it.each(ACTIONS)('by %s in any other state, because of that state', (action) => {
    const from = steeredFrom(action, true);
    const others = IMPORT_PROCESS_STATUSES.filter((status) => !from.includes(status));
    expect(others.length).toBeGreaterThan(0);
    for (const status of others) expect(passedOver(action, from, { status, isDryRun: true })).toBe(status);
  });

  it('by a release because it was posted as a dry run, which always ends there', () => {
    const staged = { status: 'DRY_RUN_SUCCEEDED', isDryRun: true } as const;
    expect(passedOver('release', ['DRY_RUN_SUCCEEDED'], staged)).toBe('is_dry_run');
  });

  it.each([
    ['release', 'DRY_RUN_SUCCEEDED', false],
    ['cancel', 'PENDING', true],
    ['retry', 'DRY_RUN_ERRORED', true],
  ] as const)('by %s from %s only when somebody else was quicker', (action, status, isDryRun) => {
    expect(passedOver(action, steeredFrom(action, true), { status, isDryRun })).toBe('changed_meanwhile');
  });
});
