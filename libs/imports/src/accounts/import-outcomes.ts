import { isTransient } from '@portage/accounts';
import type { Logger } from '@portage/platform';
import type { ProcessVersion } from '../processes/pending-process.repository';
import type { StartedImport } from './account-import.repository';
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

/** The outcomes of a batch while it is imported, and the failures that are yet to be stored. */
export class ImportOutcomes {
  readonly failures: { started: StartedImport; failure: ImportFailure }[] = [];
  private readonly outcomes = new Map<string, ImportOutcome>();

  /** @param isLastAttempt true if a transient failure ends a process too */
  constructor(
    private readonly isLastAttempt: boolean,
    private readonly logger: Logger,
  ) {}

  of({ processId }: ProcessVersion): ImportOutcome {
    return this.outcomes.get(processId) ?? { kind: 'outdated' };
  }

  set({ processId }: ProcessVersion, outcome: ImportOutcome): void {
    this.outcomes.set(processId, outcome);
  }

  /** Does the work for one process. If it fails, the process ends. Returns the result, or nothing. */
  async attempt<Result extends object>(
    started: StartedImport,
    work: () => Promise<Result | ImportFailure>,
  ): Promise<Result[]> {
    try {
      const result = await work();
      if (!('code' in result)) return [result];
      this.fail(started, result);
    } catch (error) {
      this.failWith(started, error);
    }
    return [];
  }

  /** Ends the process with an error, once it is stored. */
  fail(started: StartedImport, failure: ImportFailure): void {
    this.failures.push({ started, failure });
  }

  /** Decides about an error that was thrown for a process: the queue retries it, or the process ends with it. */
  failWith(started: StartedImport, error: unknown): void {
    if (isTransient(error) && !this.isLastAttempt) {
      this.set(started, { kind: 'interrupted', error });
      return;
    }
    const failure = failureOf(error);
    const { processId, version } = started;
    if (failure.code === 'error')
      this.logger.error('An account could not be created.', { processId, version, error });
    this.fail(started, failure);
  }
}
