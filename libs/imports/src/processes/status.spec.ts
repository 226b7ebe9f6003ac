import { CREATION_MODES } from '@portage/tenants';
import {
  canStage,
  canSubmit,
  IMPORT_PROCESS_STATUSES,
  IMPORT_PROCESS_TRANSITIONS,
  type ImportProcessAction,
  type ImportProcessStatus,
  type NoProcess,
  statusesAllowing,
  transferStatus,
  transition,
} from './status';

const FROM: (ImportProcessStatus | NoProcess)[] = ['none', ...IMPORT_PROCESS_STATUSES];

/** The complete transition table: one row per action with its target states; `-` if the action is forbidden. */
const TABLE = `
action          | none    | PENDING           | IN_PROGRESS       | DRY_RUN_SUCCEEDED | DRY_RUN_ERRORED | CANCELLED | PROCESSED | ERRORED
schedule        | PENDING | PENDING           | -                 | PENDING           | PENDING         | PENDING   | -         | PENDING
stage           | PENDING | PENDING           | -                 | PENDING           | PENDING         | PENDING   | -         | PENDING
submit          | -       | PENDING           | -                 | PENDING           | PENDING         | -         | -         | PENDING
retry           | -       | -                 | -                 | -                 | PENDING         | PENDING   | -         | PENDING
release         | -       | -                 | -                 | PENDING           | -               | -         | -         | -
cancel          | -       | CANCELLED         | -                 | CANCELLED         | -               | -         | -         | -
miss-window     | -       | CANCELLED         | -                 | -                 | -               | -         | -         | -
start           | -       | IN_PROGRESS       | IN_PROGRESS       | -                 | -               | -         | -         | -
process         | -       | PROCESSED         | PROCESSED         | -                 | -               | -         | -         | -
error           | -       | ERRORED           | ERRORED           | -                 | -               | -         | -         | -
succeed-dry-run | -       | DRY_RUN_SUCCEEDED | DRY_RUN_SUCCEEDED | -                 | -               | -         | -         | -
error-dry-run   | -       | DRY_RUN_ERRORED   | DRY_RUN_ERRORED   | -                 | -               | -         | -         | -
roll-back       | -       | -                 | -                 | -                 | -               | -         | CANCELLED | -
`;
const [head = [], ...rows] = TABLE.trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));
const cases = rows.flatMap(([action, ...targets]) =>
  targets.map(
    (to, place) => [action, head[place + 1], to] as [ImportProcessAction, ImportProcessStatus, string],
  ),
);

describe('the states of an import process', () => {
  it('have a row for every action and a column for every state', () => {
    expect(rows.map(([action]) => action)).toEqual(Object.keys(IMPORT_PROCESS_TRANSITIONS));
    expect(head.slice(1)).toEqual(FROM);
  });

  it.each(cases)('%s from %s leads to %s', (action, from, to) => {
    expect(transition(from, action)).toBe(to === '-' ? undefined : to);
  });

  it('include no transition out of PROCESSED, except the rollback of its submission', () => {
    const actions = Object.keys(IMPORT_PROCESS_TRANSITIONS) as ImportProcessAction[];
    expect(actions.filter((action) => transition('PROCESSED', action))).toEqual(['roll-back']);
  });

  it.each(rows.map(([action]) => action as ImportProcessAction))(
    'the states that allow %s match the transition table',
    (action) => {
      expect(statusesAllowing(action)).toEqual(
        IMPORT_PROCESS_STATUSES.filter((status) => transition(status, action)),
      );
    },
  );
});

describe('the v1 status (contract, "States of an import in v1")', () => {
  const process = { isDryRun: false, isReleased: false, staging: null, accountNumber: null };

  it.each([
    ['PENDING', 'IN_PROGRESS'],
    ['IN_PROGRESS', 'IN_PROGRESS'],
    ['DRY_RUN_SUCCEEDED', 'UNKNOWN'],
    ['DRY_RUN_ERRORED', 'UNKNOWN'],
    ['CANCELLED', 'UNKNOWN'],
    ['ERRORED', 'UNKNOWN'],
  ] as const)(
    'a process that is %s has the v1 status %s, and UNKNOWN for a dry run',
    (status, ofCreation) => {
      const staged = { ...process, status };
      expect(transferStatus(staged, 'direct')).toBe(ofCreation);
      expect(transferStatus(staged, 'dry-run-first')).toBe(ofCreation);
      expect(transferStatus({ ...staged, isReleased: true }, 'staged')).toBe(ofCreation);
      expect(transferStatus(staged, 'staged')).toBe('UNKNOWN');
      for (const mode of CREATION_MODES)
        expect(transferStatus({ ...staged, isDryRun: true }, mode)).toBe('UNKNOWN');
    },
  );

  it.each(CREATION_MODES)('a staged account is UNKNOWN until it is processed, in the mode %s', (mode) => {
    const staged = { ...process, status: 'PENDING', staging: 'WAITING' } as const;
    expect(transferStatus(staged, mode)).toBe('UNKNOWN');
    const submitted = { ...staged, staging: 'PROCESSING', isReleased: true } as const;
    expect(transferStatus(submitted, mode)).toBe('IN_PROGRESS');
    expect(transferStatus({ ...submitted, isDryRun: true }, mode)).toBe('UNKNOWN');
  });

  it.each(CREATION_MODES)('is COMPLETED once an account exists, in the mode %s', (mode) => {
    const processed = { ...process, status: 'PROCESSED', accountNumber: 'A-0000002a' } as const;
    expect(transferStatus(processed, mode)).toBe('COMPLETED');
  });
});

describe('a staged account (v1)', () => {
  const staged = (staging: 'WAITING' | 'PROCESSING' | null) =>
    IMPORT_PROCESS_STATUSES.filter((status) => canStage({ status, staging }));
  const submitted = (staging: 'WAITING' | 'PROCESSING' | null) =>
    IMPORT_PROCESS_STATUSES.filter((status) => canSubmit({ status, staging }));

  it('may be staged again unless its process is queued, running or processed', () => {
    const ended = ['DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'CANCELLED', 'ERRORED'];
    expect(staged('WAITING')).toEqual(['PENDING', ...ended]);
    expect(staged('PROCESSING')).toEqual(ended);
    expect(staged(null)).toEqual(ended);
  });

  it('may be processed while it waits, and again after an error or a dry run', () => {
    const ended = ['DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'ERRORED'];
    expect(submitted('WAITING')).toEqual(['PENDING', ...ended]);
    expect(submitted('PROCESSING')).toEqual(ended);
    expect(submitted(null)).toEqual([]);
  });
});
