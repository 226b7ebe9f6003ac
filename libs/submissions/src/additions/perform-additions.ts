import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  AccountAdditions,
  AccountFollowUps,
  type AccountWithFollowUps,
  type AdditionOutcome,
  fingerprint,
  type ImmediateAddition,
  ImportedAccountRepository,
  isTransient,
} from '@portage/accounts';
import type { SubmissionLineError } from '@portage/imports';
import {
  accountRequestJob,
  Database,
  type Executor,
  JobProducer,
  Logger,
  performAdditionsJob,
  rehearse,
  SharedRuns,
} from '@portage/platform';
import { ImportSupplierDirectory, migrationClosedMessage } from '@portage/tenants';
import { type StoredSubmission, SubmissionRepository } from '../submission.repository';
import { INSTRUCTIONS_SHARD } from './read-addition-line';
import {
  type EndedAddition,
  type PendingAddition,
  SubmissionAdditionRepository,
} from './submission-addition.repository';
import {
  type SubmittedInstruction,
  SubmissionInstructionRepository,
} from './submission-instruction.repository';

/** The additions of a submission that a job performs. */
export interface ShardOfAdditions {
  submissionId: string;
  shard: number;
}

/** Additions of one transaction, and their characters. */
const BATCH_LINES = 64;
const BATCH_CHARACTERS = 2_000_000;

/** Additions after which a job ends, and another one goes on, so that jobs of other organisations are not held up. */
const MAX_LINES_OF_JOB = 512;

/** Payment instructions of one submission that wait for their vendors. The queue has a rate for all together. */
const MAX_INSTRUCTIONS = 40;

/** Lines that are looked at for each instruction that may start: those of accounts with another one in progress wait. */
const LINES_FOR_EACH = 2;

/** How often a payment instruction is sent to a vendor that is unavailable: about an hour. */
const MAX_ATTEMPTS = 14;

const ACCOUNT_NOT_FOUND = {
  attr: null,
  code: 'account_not_found',
  detail:
    'There is no imported account of this number. Send the line again once the account has been imported.',
};

/**
 * Performs the additions of submissions, many in one transaction. Those of an account are performed in the order of their lines;
 * one that fails does not hold up the others.
 */
@Injectable()
export class PerformAdditions {
  /** Starts of instructions, by submission. */
  private readonly starts = new SharedRuns<number>();

  constructor(
    private readonly additions: SubmissionAdditionRepository,
    private readonly instructions: SubmissionInstructionRepository,
    private readonly submissions: SubmissionRepository,
    private readonly suppliers: ImportSupplierDirectory,
    private readonly accounts: ImportedAccountRepository,
    private readonly adding: AccountAdditions,
    private readonly followUps: AccountFollowUps,
    private readonly jobs: JobProducer,
    private readonly database: Database,
    private readonly logger: Logger,
  ) {}

  /**
   * Performs the due additions of a shard, up to {@link MAX_LINES_OF_JOB} and those of a last batch. Safe to repeat and to run
   * concurrently: an addition and its end are one commit, and one transaction at a time has the shard.
   *
   * @param isAlone true performs each addition in a transaction of its own
   * @returns the number of additions that have ended
   * @throws a transient error, which the queue retries
   */
  async perform(job: ShardOfAdditions, isAlone = false): Promise<number> {
    const run = async () => this.performShard(job, isAlone);
    // Many instructions end at once. Each would wait for the lock of the shard with a connection of its own.
    return job.shard === INSTRUCTIONS_SHARD ? this.starts.join(job.submissionId, run) : run();
  }

  private async performShard(job: ShardOfAdditions, isAlone: boolean): Promise<number> {
    const isDue = async () => this.additions.hasDue(job.submissionId, job.shard);
    // Each batch of an upload has a job, and an earlier one performs the lines of several batches.
    if (!(await isDue())) return 0;
    const submission = await this.submissions.find(undefined, job.submissionId);
    if (!submission) return 0;
    let ended = 0;
    // Additions that are performed one by one, because one of them has failed with others.
    let alone = isAlone ? Infinity : 0;
    while (ended < MAX_LINES_OF_JOB) {
      const lines = alone > 0 ? 1 : BATCH_LINES;
      let count: number | 'busy';
      try {
        count = await this.performBatch(submission, job, lines);
      } catch (error) {
        if (isTransient(error) || lines === 1) throw error;
        alone = BATCH_LINES;
        continue;
      }
      // The transaction that holds the lock of the shard looks for further additions after its commit.
      if (count === 'busy') return ended;
      ended += count;
      if (lines === 1) alone -= 1;
      // The end of an instruction has the next ones started.
      if (count === 0 && job.shard === INSTRUCTIONS_SHARD) return ended;
      if (!(await isDue())) return ended;
      // Others have locked all accounts of the batch. The first one is waited for.
      if (count === 0) alone = Math.max(alone, 1);
    }
    await this.enqueue(submission, job);
    return ended;
  }

  /**
   * Ends the payment instructions of submissions whose requests have ended, and has the next ones started.
   *
   * @param request undefined: all
   */
  async conclude(request?: SubmittedInstruction): Promise<void> {
    for (const submissionId of await this.instructions.conclude(request, MAX_ATTEMPTS))
      await this.perform({ submissionId, shard: INSTRUCTIONS_SHARD });
  }

  /**
   * Enqueues shards whose jobs are missing, and concludes what was not.
   *
   * @param afterMs how long an addition has been due before its job counts as lost
   * @returns the number of missing jobs
   */
  async sweep(afterMs: number): Promise<number> {
    await this.conclude();
    let missing = 0;
    for (const { organisationId, supplier, submissionId, shard, lastId } of await this.additions.stale(
      afterMs,
      STALE_ROWS,
    ))
      missing += await this.jobs.addMissing('additions', [
        performAdditionsJob({ organisationId, supplier, submissionId, shard }, lastId),
      ]);
    return missing;
  }

  private async enqueue(
    { organisationId, supplier }: StoredSubmission,
    { submissionId, shard }: ShardOfAdditions,
  ): Promise<void> {
    await this.jobs.add('additions', [
      performAdditionsJob({ organisationId, supplier, submissionId, shard }, randomUUID()),
    ]);
  }

  /** @returns the number of additions that have ended, or `busy` if another transaction performs those of the shard */
  private async performBatch(
    submission: StoredSubmission,
    { submissionId, shard }: ShardOfAdditions,
    lines: number,
  ): Promise<number | 'busy'> {
    const closed = await this.findClosed(submission);
    const followUps: AccountWithFollowUps[] = [];
    const instructions: { requestId: string; externalAccountNumber: string }[] = [];
    const count = await this.database.transaction(async (executor) => {
      if (!(await this.additions.lock(executor, submissionId, shard))) return 'busy';
      const isInstructions = shard === INSTRUCTIONS_SHARD;
      const inProgress = isInstructions ? await this.instructions.inProgress(executor, submissionId) : [];
      const free = MAX_INSTRUCTIONS - inProgress.length;
      // They are started in groups, because each one that ends looks for the next ones.
      if (isInstructions && free < MAX_INSTRUCTIONS / 2) return 0;
      const taken = await this.additions.take(executor, submissionId, shard, {
        lines: isInstructions ? Math.min(lines, LINES_FOR_EACH * free) : lines,
        characters: BATCH_CHARACTERS,
      });
      if (taken.length === 0) return 0;
      if (closed) {
        await this.failAll(executor, submission, taken, closed);
        return taken.length;
      }
      const perform = async () =>
        isInstructions
          ? this.startInstructions(executor, submission, taken, inProgress, instructions)
          : this.addAll(executor, submission, taken, followUps);
      return lines > 1 ? perform() : this.performOne(executor, submission, taken, perform);
    });
    await this.followUps.enqueue(followUps);
    await this.addInstructionJobs(submission, instructions);
    return count;
  }

  /** Performs an addition within a savepoint, and ends it with an error if it fails because of a fault of the service. */
  private async performOne(
    executor: Executor,
    submission: StoredSubmission,
    taken: readonly PendingAddition[],
    perform: () => Promise<number>,
  ): Promise<number> {
    try {
      // TypeORM makes a savepoint of a transaction in a transaction.
      return await executor.manager.transaction(perform);
    } catch (error) {
      if (isTransient(error)) throw error;
      this.logger.error('An addition could not be performed.', { error });
      await this.failAll(executor, submission, taken, INTERNAL_ERROR);
      return taken.length;
    }
  }

  /** Performs additions that need no vendor. Those of accounts that others have locked stay, unless it is only one. */
  private async addAll(
    executor: Executor,
    submission: StoredSubmission,
    taken: readonly PendingAddition[],
    followUps: AccountWithFollowUps[],
  ): Promise<number> {
    const accounts = await this.findAccounts(executor, submission, taken);
    const ids = [...new Set(accounts.values())];
    const locked = await this.accounts.lockAll(executor, ids);
    const accountOf = ({ externalAccountNumber }: PendingAddition) => accounts.get(externalAccountNumber);
    const missing = taken.filter((addition) => accountOf(addition) === undefined);
    const present = taken.flatMap((addition) => {
      const accountId = accountOf(addition);
      return accountId !== undefined && locked.has(accountId) ? [{ addition, accountId }] : [];
    });
    const immediate = present.map(
      ({ addition: { kind, actor, input }, accountId }) =>
        ({ kind, actor, input, accountId }) as ImmediateAddition,
    );
    const add = async () => this.adding.add(executor, immediate);
    const outcomes = submission.isDryRun ? await rehearse(executor, add) : await add();
    await this.additions.end(executor, [
      ...missing.map((addition) => fail(submission, addition, [ACCOUNT_NOT_FOUND])),
      ...present.map(({ addition }, index) =>
        toEnded(submission, addition, outcomes[index] as AdditionOutcome),
      ),
    ]);
    if (!submission.isDryRun)
      for (const [index, { addition, accountId }] of present.entries()) {
        const outcome = outcomes[index] as AdditionOutcome;
        if (outcome.kind === 'refused' || outcome.documentIds.length === 0) continue;
        const { organisationId, supplier } = submission;
        const label = { organisationId, supplier, externalAccountNumber: addition.externalAccountNumber };
        followUps.push({
          account: { accountId, documentIds: outcome.documentIds, hasWelcomeEmail: false },
          label,
        });
      }
    return missing.length + present.length;
  }

  /**
   * Stores the requests that verify payment instructions, for as many as may wait for their vendors.
   *
   * @param inProgress the accounts with one that waits
   */
  private async startInstructions(
    executor: Executor,
    submission: StoredSubmission,
    taken: readonly PendingAddition[],
    inProgress: readonly string[],
    started: { requestId: string; externalAccountNumber: string }[],
  ): Promise<number> {
    const accounts = await this.findAccounts(executor, submission, taken);
    const missing = taken.filter(({ externalAccountNumber }) => !accounts.has(externalAccountNumber));
    await this.failAll(executor, submission, missing, ACCOUNT_NOT_FOUND);
    const numbers = taken.map(({ externalAccountNumber }) => externalAccountNumber);
    // An instruction waits for those of its account before it, so that the last one is the active one.
    const busy = new Set([
      ...inProgress,
      ...(await this.instructions.waitingForRetry(executor, submission.id, numbers)),
    ]);
    const free = MAX_INSTRUCTIONS - inProgress.length;
    const chosen: { id: string; accountId: string; input: unknown; fingerprint: Buffer }[] = [];
    for (const { id, externalAccountNumber, input } of taken) {
      const accountId = accounts.get(externalAccountNumber);
      if (chosen.length >= free || accountId === undefined || busy.has(externalAccountNumber)) continue;
      busy.add(externalAccountNumber);
      const isDryRun = submission.isDryRun;
      const asked = isDryRun ? { ...(input as object), isDryRun } : input;
      chosen.push({ id, accountId, input: asked, fingerprint: fingerprint('addition', id) });
    }
    if (chosen.length > 0) {
      // An erasure of an account waits for the request, or the request finds no account.
      const living = await this.accounts.lockAll(
        executor,
        chosen.map(({ accountId }) => accountId),
      );
      const requests = chosen.filter(({ accountId }) => living.has(accountId));
      const begun = await this.instructions.start(executor, submission.organisationId, requests);
      // At most MAX_INSTRUCTIONS.
      for (const one of begun) started.push(one);
    }
    return missing.length;
  }

  private async addInstructionJobs(
    { organisationId, supplier, id: submissionId }: StoredSubmission,
    started: readonly { requestId: string; externalAccountNumber: string }[],
  ): Promise<void> {
    const jobs = started.flatMap(({ requestId, externalAccountNumber }) => {
      const payload = { organisationId, supplier, requestId, externalAccountNumber, submissionId };
      return accountRequestJob('payment-instruction', payload)[1];
    });
    if (jobs.length > 0) await this.jobs.add('payment-instructions', jobs);
  }

  /** The ids of imported accounts by their numbers. */
  private async findAccounts(
    executor: Executor,
    { supplierId }: StoredSubmission,
    taken: readonly PendingAddition[],
  ): Promise<Map<string, string>> {
    const numbers = [...new Set(taken.map(({ externalAccountNumber }) => externalAccountNumber))];
    const found = await this.accounts.find(
      numbers.map((externalAccountNumber) => ({ supplierId, externalAccountNumber })),
      executor,
    );
    return new Map(
      numbers.flatMap((number, index) => {
        const account = found[index];
        return account ? [[number, account.id]] : [];
      }),
    );
  }

  /** The error of additions of a supplier whose migration is over. */
  private async findClosed({ organisationId, supplier }: StoredSubmission) {
    const status = (await this.suppliers.find(organisationId, supplier))?.status;
    return status === 'Complete'
      ? { attr: null, code: 'import_supplier_migration_not_ongoing', detail: migrationClosedMessage(status) }
      : undefined;
  }

  private async failAll(
    executor: Executor,
    submission: StoredSubmission,
    additions: readonly PendingAddition[],
    error: SubmissionLineError,
  ): Promise<void> {
    await this.additions.end(
      executor,
      additions.map((addition) => fail(submission, addition, [error])),
    );
  }
}

/** Due additions that a sweep looks at. */
const STALE_ROWS = 10_000;

const INTERNAL_ERROR = {
  attr: null,
  code: 'error',
  detail: 'Nothing was added, for a reason on our side that the operator can see in the log.',
};

function fail(
  { isDryRun }: StoredSubmission,
  { id }: PendingAddition,
  errors: SubmissionLineError[],
): EndedAddition {
  return { id, status: isDryRun ? 'DRY_RUN_ERRORED' : 'ERRORED', result: null, errors };
}

function toEnded(
  submission: StoredSubmission,
  addition: PendingAddition,
  outcome: AdditionOutcome,
): EndedAddition {
  if (outcome.kind === 'refused')
    return fail(
      submission,
      addition,
      outcome.errors.map((error) => ({ ...error, attr: `${addition.kind}.${error.attr}` })),
    );
  const { added, existing, different, moved } = outcome;
  const ended = added === 0 && existing > 0 ? 'UNCHANGED' : 'PROCESSED';
  return {
    id: addition.id,
    status: submission.isDryRun && ended === 'PROCESSED' ? 'DRY_RUN_SUCCEEDED' : ended,
    result: { added, existing, different, moved },
    errors: null,
  };
}
