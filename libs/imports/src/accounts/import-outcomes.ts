import { isTransient } from '@portage/accounts';
import { type Logger, runBatch } from '@portage/platform';
import type { ProcessVersion } from '../processes/pending-process.repository';
import { failureOf, type ImportFailure } from './import-failure';

/**
 * The outcome of one process. `outdated`: it has a later version or attempt, or is finished, so nothing was stored; it
 * has the code of the error if the version has ended with one. `held`: the supplier is paused, or the schedule window is
 * yet to open, so the process stays PENDING, and the sweeper enqueues it once it may begin.
 * `interrupted`: a retry may succeed.
 */
export type ImportOutcome =
  | { kind: 'processed' | 'corrected' | 'dry-run-succeeded' | 'cancelled' | 'held' }
  | { kind: 'outdated'; code?: string }
  | { kind: 'errored'; code: string }
  | { kind: 'interrupted'; error: unknown };

/** A run that has ended with an error. */
export interface FailedRun<Started> {
  started: Started;
  failure: ImportFailure;
}

/** The outcomes of a batch of imports or corrections while it runs, and the failures that are yet to be stored. */
export class ImportOutcomes<Started extends ProcessVersion> {
  private readonly failures: FailedRun<Started>[] = [];
  private readonly outcomes = new Map<string, ImportOutcome>();

  /**
   * @param work what is to be done to the accounts, for the log and the details of failures
   * @param isLastAttempt true if a transient failure ends a process too
   */
  constructor(
    private readonly work: 'created' | 'corrected',
    private readonly isLastAttempt: boolean,
    private readonly logger: Logger,
  ) {}

  find({ processId }: ProcessVersion): ImportOutcome | undefined {
    return this.outcomes.get(processId);
  }

  set({ processId }: ProcessVersion, outcome: ImportOutcome): void {
    this.outcomes.set(processId, outcome);
  }

  /** Leaves the process to a retry. */
  readonly interrupt = (version: ProcessVersion, error: unknown): void => {
    this.set(version, { kind: 'interrupted', error });
  };

  /** Does the work for one process. If it fails, the process ends. Returns the result, or nothing. */
  async attempt<Result extends object>(
    started: Started,
    work: () => Promise<Result | ImportFailure>,
  ): Promise<Result[]> {
    try {
      const result = await work();
      if (!('code' in result)) return [result];
      this.failures.push({ started, failure: result });
    } catch (error) {
      this.failWith(started, error);
    }
    return [];
  }

  /** Decides about an error that was thrown for a process: the queue retries it, or the process ends with it. */
  failWith(started: Started, error: unknown): void {
    if (isTransient(error) && !this.isLastAttempt) {
      this.interrupt(started, error);
      return;
    }
    const failure = failureOf(error, this.work);
    const { processId, version } = started;
    if (failure.code === 'error')
      this.logger.error(`An account could not be ${this.work}.`, { processId, version, error });
    this.failures.push({ started, failure });
  }

  /** @param store ends the runs with their errors, and returns for each: false if it has ended before */
  async storeFailures(
    store: (failed: readonly FailedRun<Started>[]) => Promise<readonly boolean[]>,
  ): Promise<void> {
    const stored = await perform(this.failures, store, ({ started }, error) => {
      this.interrupt(started, error);
    });
    for (const [{ started, failure }, isStored] of stored)
      this.set(started, isStored ? { kind: 'errored', code: failure.code } : { kind: 'outdated' });
  }
}

/** Performs a batch. Returns the items with their results, without those that failed. */
export async function perform<Item, Result>(
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  onError: (item: Item, error: unknown) => void,
): Promise<[Item, Result][]> {
  const outcomes = await runBatch(items, run);
  const performed: [Item, Result][] = [];
  for (const [index, item] of items.entries()) {
    const outcome = outcomes[index] as PromiseSettledResult<Result>;
    if (outcome.status === 'fulfilled') performed.push([item, outcome.value]);
    else onError(item, outcome.reason);
  }
  return performed;
}
