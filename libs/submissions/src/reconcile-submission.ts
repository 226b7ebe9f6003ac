import { Inject, Injectable } from '@nestjs/common';
import { MEASURE_KINDS, MEASURES } from '@portage/imports';
import { type Clock, CLOCK, type Executor, SharedRuns, toOffsetMicroseconds, Turns } from '@portage/platform';
import { ADDITION_MEASURE_KINDS, ADDITION_MEASURES } from './additions/addition-measures';
import type { AdditionStatus } from './additions/submission-addition.entity';
import { SubmissionAdditionRepository } from './additions/submission-addition.repository';
import {
  type ImportedPart,
  type ImportedSums,
  type ProcessPart,
  type ProcessSums,
  SubmissionReconciliationRepository,
} from './submission-reconciliation.repository';
import { type StoredSubmission, SubmissionRepository } from './submission.repository';
import { Submissions } from './submissions';
import { type MeasureTotals, noTotals, reconcile, type ReconciliationSums } from './reconciliation';
import type { SubmissionReconciliation } from './reconciliation.dto';

/** Gathers what {@link reconcile} compares. */
interface Gathered extends ReconciliationSums {
  /** Accounts that are stored, and were created, corrected or found unchanged by the submission. */
  created: number;
  correctedBy: number;
  unchanged: number;
  /** Accounts that were erased since. */
  erasedCount: number;
  /** Accounts that were corrected by others since. */
  correctedSince: number;
  /** Accounts that their supplier has taken back. */
  takenBack: number;
  /** Accounts whose correction has not ended. */
  unfinishedCorrections: number;
}

/** The totals to which the measures of a part are added. Those of all others count as refused or errored. */
const TOTALS_OF: Partial<
  Record<ProcessPart | ImportedPart, Exclude<keyof ReconciliationSums, 'missingDocuments'>>
> = {
  stored: 'imported',
  erased: 'erased',
  corrected: 'correctedSinceTotals',
  DRY_RUN_SUCCEEDED: 'wouldBeImported',
  rehearsed: 'wouldBeImported',
};

/** The number that the accounts of a part belong to, besides those that are stored. */
const COUNT_OF: Partial<
  Record<ProcessPart | ImportedPart, 'erasedCount' | 'correctedSince' | 'takenBack' | 'unfinishedCorrections'>
> = {
  erased: 'erasedCount',
  corrected: 'correctedSince',
  TAKEN_BACK: 'takenBack',
  gone: 'takenBack',
  pending: 'unfinishedCorrections',
};

/** The statuses of processes that have ended, with an account or with an error. */
const ENDED_STATUSES = ['PROCESSED', 'ERRORED', 'DRY_RUN_ERRORED', 'CANCELLED'] as const;

/** In a rehearsal an account has come to its end with a successful dry run as well. */
const REHEARSED_STATUSES = [...ENDED_STATUSES, 'DRY_RUN_SUCCEEDED'] as const;

/** Compares what a supplier expected of a submission with what was received, and with what is in the account tables. */
@Injectable()
export class ReconcileSubmission {
  private readonly turns = new Turns(
    'Too many reconciliations are being computed for this organisation. Ask again later.',
  );
  private readonly reads = new SharedRuns<SubmissionReconciliation>();

  constructor(
    private readonly submissions: Submissions,
    private readonly repository: SubmissionRepository,
    private readonly reconciliation: SubmissionReconciliationRepository,
    private readonly additions: SubmissionAdditionRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Reconciles a submission in one snapshot of the database: what was received from its lines, what was imported from
   * the tables of accounts, in parts of bounded size. In one process the reconciliations of an organisation run one after the
   * other, and requests that wait for the same submission share one.
   *
   * @param organisationId the organisation that the submission must belong to; undefined for operators
   * @throws PortageError `not_found`
   * @throws Throttled if too many reconciliations of the organisation wait
   */
  async reconcile(id: string, organisationId?: number): Promise<SubmissionReconciliation> {
    const submission = await this.submissions.require(organisationId, id);
    return this.reads.join(id, async () =>
      this.turns.run(String(submission.organisationId), async () => this.compute(id)),
    );
  }

  private async compute(id: string): Promise<SubmissionReconciliation> {
    return this.reconciliation.inSnapshot(async (executor) => {
      const countedAt = this.clock.now().toISOString();
      // Read again: it belongs to the snapshot. Submissions are never deleted.
      const submission = (await this.repository.find(undefined, id, executor)) as StoredSubmission;
      if (submission.kind === 'additions') return this.computeAdditions(executor, submission, countedAt);
      const gathered = noSums();
      await this.addLines(executor, id, gathered);
      await this.addProcesses(executor, submission, gathered);
      await this.addImported(executor, id, gathered);
      const { processes } = await this.repository.count(id, executor);
      const unfinished =
        (processes.PENDING ?? 0) + (processes.IN_PROGRESS ?? 0) + gathered.unfinishedCorrections;
      const isFinished = unfinished === 0 && submission.status === 'RECEIVED';
      return {
        id,
        import_supplier: submission.supplier,
        reference: submission.reference,
        is_dry_run: submission.isDryRun,
        unfinished,
        counted_at: toOffsetMicroseconds(countedAt, 'UTC'),
        dry_run_succeeded: processes.DRY_RUN_SUCCEEDED ?? 0,
        created: gathered.created,
        corrected: gathered.correctedBy,
        unchanged: gathered.unchanged,
        corrected_since: gathered.correctedSince,
        taken_back: gathered.takenBack,
        erased: gathered.erasedCount,
        ...reconcile(MEASURE_KINDS, submission.expected, gathered, submission.currency, isFinished),
      };
    });
  }

  /** The lines that were performed, or rehearsed, against those that were received: each line is performed whole or not. */
  private async computeAdditions(
    executor: Executor,
    submission: StoredSubmission,
    countedAt: string,
  ): Promise<SubmissionReconciliation> {
    const { id, isDryRun } = submission;
    const totals = {
      imported: noTotals(ADDITION_MEASURES),
      wouldBeImported: noTotals(ADDITION_MEASURES),
      refusedOrErrored: noTotals(ADDITION_MEASURES),
    };
    const received = noTotals(ADDITION_MEASURES);
    let unfinished = 0n;
    for (const { status, ...sums } of await this.additions.sum(executor, id)) {
      const part = partOf(status, isDryRun);
      if (!part) unfinished += BigInt(sums.lines);
      for (const measure of ADDITION_MEASURES) {
        if (part) totals[part][measure] += BigInt(sums[measure]);
        received[measure] += BigInt(sums[measure]);
      }
    }
    const isFinished = unfinished === 0n && submission.status === 'RECEIVED';
    const sums = {
      ...totals,
      received,
      erased: noTotals(ADDITION_MEASURES),
      correctedSinceTotals: noTotals(ADDITION_MEASURES),
      missingDocuments: 0,
    };
    return {
      id,
      import_supplier: submission.supplier,
      reference: submission.reference,
      is_dry_run: isDryRun,
      unfinished: Number(unfinished),
      counted_at: toOffsetMicroseconds(countedAt, 'UTC'),
      dry_run_succeeded: Number(totals.wouldBeImported.lines),
      created: 0,
      corrected: 0,
      unchanged: 0,
      corrected_since: 0,
      taken_back: 0,
      erased: 0,
      ...reconcile(ADDITION_MEASURE_KINDS, submission.expected, sums, submission.currency, isFinished),
    };
  }

  private async addLines(executor: Executor, id: string, gathered: Gathered): Promise<void> {
    for await (const { isRefused, totals } of this.reconciliation.sumLines(executor, id)) {
      add(gathered.received, totals);
      if (isRefused) add(gathered.refusedOrErrored, totals);
    }
  }

  /** Only processes that have ended are read: nothing is stored of the others, and nothing of them is missing. */
  private async addProcesses(
    executor: Executor,
    { id, isDryRun }: StoredSubmission,
    gathered: Gathered,
  ): Promise<void> {
    for (const status of isDryRun ? REHEARSED_STATUSES : ENDED_STATUSES)
      await addParts(this.reconciliation.sumProcesses(executor, id, status), 'created', gathered);
  }

  /** Accounts that were imported before: what is stored of them now is what the submission has sent. */
  private async addImported(executor: Executor, id: string, gathered: Gathered): Promise<void> {
    const { reconciliation } = this;
    await addParts(reconciliation.sumImported(executor, id, 'unchanged'), 'unchanged', gathered);
    await addParts(reconciliation.sumImported(executor, id, 'correction'), 'correctedBy', gathered);
  }
}

/**
 * Adds sums to what their part counts as.
 *
 * @param stored what the accounts count as that are stored
 */
async function addParts(
  parts: AsyncIterable<ProcessSums | ImportedSums>,
  stored: 'created' | 'correctedBy' | 'unchanged',
  gathered: Gathered,
): Promise<void> {
  for await (const { part, count, totals, missingDocuments } of parts) {
    gathered.missingDocuments += missingDocuments;
    if (part !== 'pending') add(gathered[TOTALS_OF[part] ?? 'refusedOrErrored'], totals);
    const counted = part === 'stored' ? stored : COUNT_OF[part];
    if (counted) gathered[counted] += count;
  }
}

/** What a state of a line counts as; undefined while it has not ended. */
function partOf(
  status: AdditionStatus,
  isDryRun: boolean,
): 'imported' | 'wouldBeImported' | 'refusedOrErrored' | undefined {
  switch (status) {
    case 'PENDING':
    case 'IN_PROGRESS':
      return undefined;
    case 'PROCESSED':
    case 'UNCHANGED':
      return isDryRun ? 'wouldBeImported' : 'imported';
    case 'DRY_RUN_SUCCEEDED':
      return 'wouldBeImported';
    default:
      return 'refusedOrErrored';
  }
}

function noSums(): Gathered {
  return {
    received: noTotals(MEASURES),
    refusedOrErrored: noTotals(MEASURES),
    imported: noTotals(MEASURES),
    erased: noTotals(MEASURES),
    wouldBeImported: noTotals(MEASURES),
    correctedSinceTotals: noTotals(MEASURES),
    created: 0,
    correctedBy: 0,
    unchanged: 0,
    erasedCount: 0,
    correctedSince: 0,
    takenBack: 0,
    unfinishedCorrections: 0,
    missingDocuments: 0,
  };
}

function add(sum: MeasureTotals, more: MeasureTotals): void {
  for (const measure of MEASURES) sum[measure] += more[measure];
}
