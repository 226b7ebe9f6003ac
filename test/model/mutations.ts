import type { ModelOptions } from './import-process-model';
import type { Budget, Mutation } from './import-process-state';

/** A supplier whose accounts are created at once. */
export const DIRECT = { mode: 'direct', isBatched: false, hasWindow: false } as const;

/** Its account is imported at the beginning. */
export const IMPORTED = { ...DIRECT, isImported: true };

/** Parts of the real system, the events by which their absence shows, and after how many steps. */
export const MUTATIONS: [
  without: Mutation,
  start: Omit<ModelOptions, 'budget'>,
  budget: Partial<Budget>,
  violation: string,
  depth: number,
][] = [
  [
    'attempt in create-accounts',
    DIRECT,
    { expiries: 2 },
    'An attempt that is not the latest has stored its result.',
    13,
  ],
  [
    'version in create-accounts',
    DIRECT,
    { expiries: 2, posts: 1, refusals: 1 },
    'An attempt that is not the latest has stored its result.',
    15,
  ],
  ['fence in create-accounts', DIRECT, { expiries: 1 }, 'The process has created more than one account.', 9],
  ['status in end-imports', DIRECT, { failures: 2 }, 'An account and PROCESSED do not belong together.', 9],
  ['status in start-imports', DIRECT, { expiries: 1 }, 'An account and PROCESSED do not belong together.', 8],
  ['sweeper', DIRECT, { losses: 1 }, 'The process never ends, although nothing fails any more.', 4],
  [
    'removal of failed jobs by the sweeper',
    DIRECT,
    { crashes: 1 },
    'The process never ends, although nothing fails any more.',
    8,
  ],
  [
    'version in write-corrections',
    IMPORTED,
    { corrections: 2 },
    'The pending correction was compared with another payload than that of the account.',
    10,
  ],
  [
    'version in read-corrections',
    IMPORTED,
    { corrections: 1, takeBacks: 1, posts: 1 },
    'The correction of a removed account has changed another one.',
    15,
  ],
  [
    'number of the account in a correction',
    IMPORTED,
    { corrections: 1, takeBacks: 1, posts: 1 },
    'The correction of a removed account has changed another one.',
    15,
  ],
  [
    'status in succeed-corrections',
    IMPORTED,
    { corrections: 1, expiries: 1 },
    'A correction has ended twice.',
    13,
  ],
  [
    'status in end-corrections',
    IMPORTED,
    { corrections: 1, expiries: 1, refusals: 1 },
    'A correction has ended twice.',
    14,
  ],
  [
    'lock of the account before its removal',
    IMPORTED,
    { corrections: 1, rollbacks: 1 },
    'A corrected account was rolled back.',
    10,
  ],
  [
    'sweeper of corrections',
    IMPORTED,
    { corrections: 1, losses: 1 },
    'The process never ends, although nothing fails any more.',
    5,
  ],
  [
    'additions in obstacles-to-remove-accounts',
    IMPORTED,
    { additions: 1, takeBacks: 1 },
    'What was added to the account is lost.',
    3,
  ],
  [
    'corrections in erase-account',
    IMPORTED,
    { corrections: 1, erasures: 1 },
    'A correction of an erased account is pending.',
    3,
  ],
  [
    'erasure in write-corrections',
    IMPORTED,
    { corrections: 1, erasures: 1 },
    'A correction of an erased account is pending.',
    3,
  ],
];
