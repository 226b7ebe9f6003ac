import { Injectable } from '@nestjs/common';
import { AccountRemovalRepository, ACTIVE_STATUSES } from '@portage/imports';
import { ActingOperator, AuditRepository, Database, type Executor, PortageError } from '@portage/platform';
import { AccountRollbackRepository } from './account-rollback.repository';
import type { StoredSubmission } from './submission.repository';
import { Submissions } from './submissions';
import { obstacleOf, type RollbackObstacle } from './rollback';

/** An account that a rollback leaves alone, and why. */
export interface LeftAccount {
  externalAccountNumber: string;
  accountNumber: string;
  /** `missing`: the row of the account is not in the database, although its process says so. */
  reason: RollbackObstacle | 'missing';
}

/** The result of a rollback so far. */
export interface RollbackTally {
  /** Accounts that were deleted, or with a dry run those that would be. */
  rolledBack: number;
  /** The number of accounts that were left alone, by reason. */
  left: Partial<Record<LeftAccount['reason'], number>>;
  /** True once all accounts have been considered; false after a stop before that. */
  isComplete: boolean;
  /** The process that was considered last; undefined once all have been considered. */
  last?: string | undefined;
}

export interface RollbackOptions {
  /** Only finds out what would be deleted and what would be left. */
  isDryRun: boolean;
  /** Stops after the current batch. */
  signal?: AbortSignal;
  /** Begins after this process: `last` of the call before. */
  after?: string | undefined;
  /** Stops after about so many accounts. */
  limit?: number;
  /** Is called after each batch, with the number of accounts considered so far and those that the batch left alone. */
  onBatch?: (considered: number, left: readonly LeftAccount[]) => Promise<void> | void;
}

/** Accounts that are deleted in one transaction. It bounds the rows that are locked at a time. */
const BATCH_SIZE = 200;

interface Batch {
  /** The last process that was considered; undefined at the end. */
  last: string | undefined;
  considered: number;
  rolledBack: number;
  left: LeftAccount[];
}

/** Takes back a submission: deletes the accounts that it has created (`submission rollback`). */
@Injectable()
export class RollBackSubmission {
  constructor(
    private readonly database: Database,
    private readonly submissions: Submissions,
    private readonly accounts: AccountRollbackRepository,
    private readonly removal: AccountRemovalRepository,
    private readonly audit: AuditRepository,
    private readonly operator: ActingOperator,
  ) {}

  /**
   * The number of accounts that a rollback would consider.
   *
   * @throws PortageError `not_found`; `operation_refused` if it can still create accounts
   */
  async count(id: string): Promise<number> {
    await this.require(id);
    return this.accounts.count(id, 'PROCESSED');
  }

  /**
   * Deletes the accounts that the submission has created and that nothing has touched since, with all their rows, in
   * batches of one transaction with its audit entry. Their processes become CANCELLED and can be sent again. Accounts
   * are left alone and reported if they were erased, a request was made about them, or their customer got the welcome
   * e-mail. Safe to stop at any time and to run again.
   *
   * @throws PortageError `not_found`; `operation_refused` if it can still create accounts
   */
  async rollBack(
    id: string,
    { isDryRun, signal, after: start = '0', limit = Infinity, onBatch }: RollbackOptions,
  ): Promise<RollbackTally> {
    const submission = await this.require(id);
    const tally: RollbackTally = { rolledBack: 0, left: {}, isComplete: false };
    let considered = 0;
    for (let after = start; !signal?.aborted && considered < limit;) {
      const batch = await this.database.transaction(async (executor) =>
        this.rollBackBatch(executor, submission, after, isDryRun),
      );
      tally.rolledBack += batch.rolledBack;
      for (const { reason } of batch.left) tally.left[reason] = (tally.left[reason] ?? 0) + 1;
      considered += batch.considered;
      await onBatch?.(considered, batch.left);
      if (batch.last === undefined) return { ...tally, isComplete: true, last: undefined };
      tally.last = after = batch.last;
    }
    return tally;
  }

  private async rollBackBatch(
    executor: Executor,
    submission: StoredSubmission,
    after: string,
    isDryRun: boolean,
  ): Promise<Batch> {
    const page = await this.accounts.page(executor, submission.id, after, BATCH_SIZE);
    const ids = page.flatMap(({ id }) => (id === null ? [] : [id]));
    // Requests that were being processed have ended after the lock, so that their rows are seen.
    const present = isDryRun ? new Set(ids) : await this.removal.lock(executor, ids);
    const histories = await this.removal.histories(executor, [...present], submission.id);
    const left: LeftAccount[] = [];
    const untouched: string[] = [];
    for (const { id, number, externalAccountNumber } of page) {
      const history = id === null ? undefined : histories.get(id);
      const reason = id === null ? 'missing' : history && obstacleOf(history);
      if (reason) left.push({ externalAccountNumber, accountNumber: number, reason });
      else if (id !== null && history) untouched.push(id);
      // Otherwise it was deleted at the same time.
    }
    if (!isDryRun && untouched.length > 0) {
      await this.removal.remove(executor, untouched, 'ROLLED_BACK', this.operator.actor);
      await this.audit.record(executor, {
        actor: this.operator.actor,
        action: 'submission.rollback',
        supplier: submission.supplier,
        subject: submission.reference,
        details: { submission: submission.id, rolled_back: untouched.length, left: left.length },
      });
    }
    const last = page.length < BATCH_SIZE ? undefined : page.at(-1)?.processId;
    return { last, considered: page.length, rolledBack: untouched.length, left };
  }

  private async require(id: string): Promise<StoredSubmission> {
    const submission = await this.submissions.require(undefined, id);
    if (submission.status === 'OPEN')
      throw new PortageError(
        'operation_refused',
        `The submission ${id} is OPEN, so more accounts can arrive. Abort it first: submission abort ${id}`,
      );
    const unfinished = await this.accounts.count(id, ...ACTIVE_STATUSES);
    if (unfinished > 0)
      throw new PortageError(
        'operation_refused',
        `${unfinished} accounts of the submission ${id} have not ended. Cancel those that have not begun with: ` +
          `submission abort ${id}. Then wait until the others have ended.`,
      );
    return submission;
  }
}
