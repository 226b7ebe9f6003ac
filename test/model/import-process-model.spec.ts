import { explore, formatTrace } from './explorer';
import { ImportProcessModel, type ModelOptions } from './import-process-model';
import { type Budget, describeState } from './import-process-state';
import { DIRECT, IMPORTED, MUTATIONS } from './mutations';

/*
 * Every interleaving of what two workers, the sweeper, the supplier, an operator, the queue and the clock do to one
 * account, for a few events of each kind. In every state: at most one account, none after an answered cancellation, no
 * change of its number or back from PROCESSED without a rollback or a take-back; its payload is that of its import or of its
 * last correction, and a correction ends once, and changes no later account, no erased one and nothing that was added. A process or a correction that is not finished
 * ends once nothing fails any more. `npm run test:model` explores more events.
 */

const BATCHED = { ...DIRECT, isBatched: true };
const STAGED = { ...DIRECT, mode: 'staged' } as const;
const WINDOW = { ...DIRECT, hasWindow: true };

/** More than the steps of the longest history. */
const MAX_DEPTH = 100;

const runsInFull = Boolean(process.env['MODEL_IN_FULL']);

type Scenario = [name: string, options: Omit<ModelOptions, 'budget'>, budget: Partial<Budget>];

const SHORT: Scenario[] = [
  ['crashes and refusals', DIRECT, { crashes: 2, expiries: 1, refusals: 1, delays: 1 }],
  ['lost answers and lost jobs', DIRECT, { expiries: 1, failures: 2, losses: 1, delays: 1 }],
  ['clients and a frozen worker', DIRECT, { posts: 1, cancels: 1, retries: 1, rollbacks: 1, expiries: 1 }],
  ['two frozen workers', DIRECT, { posts: 1, refusals: 1, expiries: 2 }],
  ['clients and lost jobs', DIRECT, { posts: 1, cancels: 1, losses: 2, delays: 1 }],
  ['a batch', BATCHED, { posts: 1, expiries: 1, refusals: 1, delays: 1 }],
  ['lost jobs of a batch', BATCHED, { failures: 1, refusals: 1, losses: 1, delays: 1 }],
  ['a release', STAGED, { posts: 1, releases: 1, retries: 1, expiries: 1, refusals: 1 }],
  ['a schedule window', WINDOW, { posts: 1, cancels: 1, retries: 1, delays: 1 }],
  ['changes of the supplier', DIRECT, { settings: 2, posts: 1, retries: 1, expiries: 1 }],
  ['changes of the supplier of a release', STAGED, { settings: 2, releases: 1, retries: 1, failures: 1 }],
  ['a correction after an import', DIRECT, { corrections: 1, takeBacks: 1, expiries: 1, failures: 1 }],
  ['corrections and crashes', IMPORTED, { corrections: 2, crashes: 2, refusals: 1, delays: 1 }],
  [
    'corrections, lost answers and lost jobs',
    IMPORTED,
    { corrections: 2, failures: 2, losses: 1, delays: 1 },
  ],
  ['corrections and frozen workers', IMPORTED, { corrections: 3, expiries: 2, refusals: 1 }],
  [
    'corrections and the removal of the account',
    IMPORTED,
    { corrections: 2, takeBacks: 1, rollbacks: 1, posts: 1 },
  ],
  [
    'corrections and additions',
    IMPORTED,
    { corrections: 2, additions: 1, takeBacks: 1, rollbacks: 1, expiries: 1 },
  ],
  [
    'corrections and the erasure of the account',
    IMPORTED,
    { corrections: 2, additions: 1, erasures: 1, takeBacks: 1, expiries: 1, failures: 1 },
  ],
  ['corrections beside a later import', IMPORTED, { corrections: 2, takeBacks: 1, posts: 1, expiries: 1 }],
  [
    'a correction and pauses',
    IMPORTED,
    { corrections: 1, takeBacks: 1, settings: 2, expiries: 1, losses: 1 },
  ],
];

const LONG: Scenario[] = [
  ['faults', DIRECT, { crashes: 1, expiries: 1, failures: 1, refusals: 1, losses: 1, delays: 2 }],
  ['clients', DIRECT, { posts: 2, cancels: 1, retries: 1, rollbacks: 1, expiries: 1, refusals: 1 }],
  ['clients and lost jobs', DIRECT, { posts: 1, cancels: 1, retries: 1, expiries: 1, losses: 1, delays: 1 }],
  ['a batch', BATCHED, { posts: 1, expiries: 1, failures: 1, refusals: 1, losses: 1, delays: 1 }],
  ['a release', STAGED, { posts: 1, releases: 1, retries: 1, expiries: 1, failures: 1, refusals: 1 }],
  ['a schedule window', WINDOW, { posts: 1, cancels: 1, retries: 1, expiries: 1, losses: 1, delays: 1 }],
  [
    'corrections and faults',
    IMPORTED,
    { corrections: 2, crashes: 1, expiries: 1, failures: 1, losses: 1, delays: 1 },
  ],
  [
    'corrections, removals and a later import',
    IMPORTED,
    { corrections: 2, takeBacks: 1, rollbacks: 1, posts: 1, expiries: 1 },
  ],
  [
    'corrections, removals and an erasure',
    IMPORTED,
    { corrections: 2, additions: 1, erasures: 1, takeBacks: 1, rollbacks: 1, expiries: 1, refusals: 1 },
  ],
  [
    'a correction, pauses and a later import',
    IMPORTED,
    { corrections: 1, takeBacks: 1, posts: 1, settings: 2, expiries: 1, losses: 1 },
  ],
];

it.each(runsInFull ? [...SHORT, ...LONG] : SHORT)(
  'the import of an account keeps its rules and comes to its end in every order of events: %s',
  (name, options, budget) => {
    const found = explore(new ImportProcessModel({ ...options, budget }), MAX_DEPTH);
    const { counterexample, isComplete, stateCount, stepCount, depth } = found;
    expect(counterexample && formatTrace(counterexample, describeState)).toBeUndefined();
    expect(isComplete).toBe(true);
    expect(stateCount).toBeGreaterThan(1_000);
    if (process.env['MODEL_STATS'] || runsInFull)
      process.stdout.write(`${name}: ${stateCount} states, ${stepCount} steps, ${depth} deep\n`);
  },
);

describe('the model of the import', () => {
  it.each(MUTATIONS)('finds what happens without the %s', (without, start, budget, violation, depth) => {
    const found = explore(new ImportProcessModel({ ...start, budget, without }), MAX_DEPTH);
    expect(found.counterexample).toMatchObject({ violation });
    expect(found.counterexample!.steps.length).toBeLessThanOrEqual(depth);
  });

  it('prints a counterexample as the steps that lead to it', () => {
    const model = new ImportProcessModel({
      ...DIRECT,
      budget: { expiries: 1 },
      without: 'fence in create-accounts',
    });
    const trace = formatTrace(explore(model, MAX_DEPTH).counterexample!, describeState);
    expect(trace.split('\n').filter((line) => /^( ?\d+\.|The)/.test(line))).toEqual([
      'The process has created more than one account.',
      ' 1. post a: insert-scheduled-imports',
      ' 2. job 1 is added',
      ' 3. worker 0 takes job 1',
      ' 4. worker 0: read-imports',
      ' 5. the lock of worker 0 expires',
      ' 6. worker 1 takes job 1',
      ' 7. worker 1: start-imports',
      ' 8. worker 0: create-accounts',
      ' 9. worker 1: create-accounts',
    ]);
  });
});
