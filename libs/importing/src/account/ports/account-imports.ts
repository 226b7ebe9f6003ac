import type {
  AccountCreation,
  AccountCreationResult,
  FailedImport,
  ProcessVersion,
  StartedImport,
  UnstartedReason,
} from '@portage/database';

/** The worker's writes to one import process. Every write but `start` is fenced by the attempt. */
export abstract class AccountImports {
  /** @returns undefined where the job is outdated: its process has another version or is finished */
  abstract start(job: ProcessVersion): Promise<StartedImport | undefined>;

  /**
   * Creates the account, unless one of its preconditions has findings.
   *
   * @throws constraint violations of the database
   */
  abstract create(creation: AccountCreation): Promise<AccountCreationResult>;

  /**
   * The dry run of {@link create}: the same writes, rolled back.
   *
   * @throws constraint violations of the database
   */
  abstract rehearse(creation: AccountCreation): Promise<void>;

  /** @returns false where a later attempt has taken over the process */
  abstract succeedDryRun(started: StartedImport): Promise<boolean>;

  /** @returns false where a later attempt has taken over the process */
  abstract fail(failed: FailedImport): Promise<boolean>;

  /**
   * Cancels a process that was not started within its schedule window.
   *
   * @returns false where the window is open
   */
  abstract cancelMissed(job: ProcessVersion): Promise<boolean>;

  /** Finds why a version was not started: it has ended, or its schedule window is yet to open. */
  abstract findReason(job: ProcessVersion): Promise<UnstartedReason>;
}
