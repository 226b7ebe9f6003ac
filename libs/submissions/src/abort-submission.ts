import { Injectable } from '@nestjs/common';
import { CorrectionRepository, ImportProcessSteeringRepository, statusesAllowing } from '@portage/imports';
import { AuditRepository, Database, PortageError } from '@portage/platform';
import { SubmissionAdditionRepository } from './additions/submission-addition.repository';
import { lineError } from './read-line';
import { type StoredSubmission, SubmissionRepository } from './submission.repository';
import type { AbortedSubmission } from './submissions.dto';
import { Submissions } from './submissions';

/** Processes that are cancelled in one transaction. */
const BATCH_SIZE = 500;

/** How long a request cancels. The maintenance cancels what is left. */
const MAX_DURATION_MS = 20_000;

/** Why an addition of an aborted submission was not performed. */
const CANCELLED = lineError('import_cancelled', 'The submission was aborted before the line was performed.');

/**
 * Ends a submission early: it takes no more accounts, and its accounts that have not begun, or wait for their release, are
 * cancelled.
 */
@Injectable()
export class AbortSubmission {
  constructor(
    private readonly repository: SubmissionRepository,
    private readonly submissions: Submissions,
    private readonly processes: ImportProcessSteeringRepository,
    private readonly corrections: CorrectionRepository,
    private readonly additions: SubmissionAdditionRepository,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Aborts a submission. Accounts that are being imported end by themselves, and a submission that has finished stays as
   * it is. Safe to repeat: a repeated request cancels what an interrupted one has left.
   *
   * @param organisationId the organisation that the submission must belong to; undefined for operators
   * @throws PortageError `not_found`
   */
  async abort(
    { organisationId, actor }: { organisationId: number | undefined; actor: string },
    id: string,
  ): Promise<AbortedSubmission> {
    const submission = await this.submissions.require(organisationId, id);
    await this.database.transaction(async (executor) => {
      if (!(await this.repository.abort(id, executor))) return;
      const { supplier, reference: subject } = submission;
      const details = { submission: id };
      await this.audit.record(executor, {
        actor,
        action: 'submission.abort',
        supplier,
        subject,
        details,
      });
    });
    const aborted = await this.submissions.require(organisationId, id);
    const cancelled = aborted.status === 'ABORTED' ? await this.cancelPending(aborted, actor, true) : 0;
    return { cancelled, submission: await this.submissions.view(aborted) };
  }

  /**
   * As {@link abort}, for an operator.
   *
   * @throws PortageError `not_found`; `operation_refused` if it has finished
   */
  async abortAsOperator(actor: string, id: string): Promise<AbortedSubmission> {
    const aborted = await this.abort({ organisationId: undefined, actor }, id);
    const { status } = aborted.submission;
    if (status === 'ABORTED') return aborted;
    throw new PortageError(
      'operation_refused',
      `The submission ${id} is ${status}, so nothing of it is left to abort.`,
    );
  }

  /**
   * Cancels the accounts of an aborted submission that are pending or wait for their release in batches, for up to
   * `maxDurationMs`. Each batch is one transaction with its audit entry.
   *
   * @param includesSingle false leaves accounts that were sent, retried or released by themselves since
   * @returns the number of cancelled accounts
   */
  async cancelPending(
    { id, supplierId, supplier, reference, isDryRun }: StoredSubmission,
    actor: string,
    includesSingle: boolean,
    maxDurationMs = MAX_DURATION_MS,
  ): Promise<number> {
    const until = performance.now() + maxDurationMs;
    const cancellable = statusesAllowing('cancel');
    // The accounts of a rehearsal have ended with their dry run, and need not be read.
    const from = isDryRun ? cancellable.filter((status) => status !== 'DRY_RUN_SUCCEEDED') : cancellable;
    const steering = { action: 'cancel', from, actor } as const;
    const selection = {
      supplierId,
      submissionId: id,
      isOfBatch: includesSingle ? undefined : (true as const),
    };
    let cancelled = 0;
    for (let count = BATCH_SIZE; count === BATCH_SIZE && performance.now() < until; cancelled += count)
      count = await this.corrections.cancel(id, BATCH_SIZE);
    for (let count = BATCH_SIZE; count === BATCH_SIZE && performance.now() < until; cancelled += count)
      count = await this.additions.cancel(id, BATCH_SIZE, CANCELLED);
    let after = '0';
    for (;;) {
      const selected = await this.processes.select(steering, selection, after, BATCH_SIZE);
      const count = await this.database.transaction(async (executor) => {
        const ids = selected.map((process) => process.id);
        const batch = await this.processes.steer(steering, ids, executor);
        const moved = batch.filter(({ version }) => version !== null).length;
        if (moved > 0)
          await this.audit.record(executor, {
            actor,
            action: 'process.cancel',
            supplier,
            subject: reference,
            details: { submission: id, steered: moved },
          });
        return moved;
      });
      cancelled += count;
      after = selected.at(-1)?.id ?? after;
      if (selected.length < BATCH_SIZE || performance.now() > until) return cancelled;
    }
  }
}
