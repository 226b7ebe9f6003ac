import { Inject, Injectable } from '@nestjs/common';
import { CohortScheduler } from '@portage/batching';
import { CONFIG, type Config } from '@portage/config';
import {
  type AccountCreation,
  AccountImportRepository,
  type FailedImport,
  type ProcessVersion,
  type StartedImport,
} from '@portage/database';
import { accountNumber, type Clock, type FieldError, type ProcessError } from '@portage/domain';
import { Logger } from '@portage/observability';
import { CLOCK } from '../clock-token';
import { migrationClosedMessage } from '../suppliers/migration-closed-message';
import { isTransient } from '../transient-failure';
import { AccountFollowUps } from '../follow-ups/account-follow-ups';
import { AccountValidation, type StoredRules } from './account-validation';
import { ImportBatches } from './import-batches';
import { newAccount } from './new-account/new-account';

/** How a job ended. `outdated`: its process has moved on without it, so it did nothing. */
export type ImportOutcome =
  { kind: 'processed' | 'dry-run-succeeded' | 'cancelled' | 'outdated' } | { kind: 'errored'; code: string };

/** A process that was started so often without coming to an end brings its workers down. */
const MOST_STARTS = 25;

type Failure = Pick<ProcessError, 'code' | 'detail'>;

/** Which rule of the database a payload has broken, by the name of the constraint. */
const BROKEN_CONSTRAINTS: Readonly<Record<string, Failure>> = {
  account_external_account_number: {
    code: 'account_import_process_already_imported',
    detail: 'Another account of this supplier has the same external_account_number.',
  },
  account_reference_value: {
    code: 'reference_already_exists',
    detail: 'Another account of this supplier has one of the references.',
  },
  historical_statement_identity: {
    code: 'historical_statement_already_exists',
    detail: 'Two statements of the account have the same statement_id.',
  },
  account_external_identifier: {
    code: 'external_identifier_already_exists',
    detail: 'Another account of this supplier has the same external_identifier.',
  },
};

/** Works on one version of an import process: dry run, or creation of the account (DESIGN 2). */
@Injectable()
export class ImportAccount {
  private numberKey: Buffer | undefined;
  private readonly groups: CohortScheduler;

  constructor(
    private readonly imports: AccountImportRepository,
    private readonly batches: ImportBatches,
    private readonly validation: AccountValidation,
    private readonly followUps: AccountFollowUps,
    private readonly logger: Logger,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) config: Config,
  ) {
    this.groups = new CohortScheduler({
      maxSize: config.WORKER_BATCH_ACCOUNTS,
      slowAfterMs: config.BATCH_SLOW_AFTER_MS,
    });
  }

  /**
   * Safe to repeat and to run twice at once: whoever starts last is the only one whose result is stored.
   *
   * @param isLastAttempt nobody will try again, so a transient failure ends the process too
   * @throws what is transient, for the queue to try again
   */
  async run(job: ProcessVersion, isLastAttempt: boolean): Promise<ImportOutcome> {
    return this.groups.run(async () => this.runAmongOthers(job, isLastAttempt));
  }

  private async runAmongOthers(job: ProcessVersion, isLastAttempt: boolean): Promise<ImportOutcome> {
    const started = await this.batches.start(job);
    if (!started) return { kind: (await this.imports.cancelMissed(job)) ? 'cancelled' : 'outdated' };
    try {
      return await this.workOn(started);
    } catch (error) {
      if (isTransient(error) && !isLastAttempt) throw error;
      const failure = failureOf(error);
      if (failure.code === 'error')
        this.logger.failure('An account could not be created.', { ...job, error });
      return this.fail(started, failure, this.isDryRunAhead(started));
    }
  }

  private async workOn(
    started: StartedImport,
    storedRules: StoredRules = 'presumed',
  ): Promise<ImportOutcome> {
    const isDryRun = this.isDryRunAhead(started);
    const { supplier } = started;
    if (supplier.status !== 'Ongoing')
      return this.fail(
        started,
        { code: 'import_supplier_migration_not_ongoing', detail: migrationClosedMessage(supplier.status) },
        isDryRun,
      );
    if (started.attempt > MOST_STARTS)
      return this.fail(
        started,
        { code: 'error', detail: `Started ${MOST_STARTS} times without an outcome.` },
        isDryRun,
      );
    // Undocumented fields were judged when the payload was accepted.
    const settings = {
      ...supplier,
      rejectUndocumentedFields: false,
      owner: { organisationId: supplier.organisationId, supplierId: supplier.id },
    };
    const read = await this.validation.read(started.payload, settings, isDryRun ? 'asked' : storedRules);
    if (!read.ok) return this.fail(started, failureOfValidation(read.errors), isDryRun);
    // Kept once it is known: a failure to read it is not.
    this.numberKey ??= await this.imports.accountNumberKey();
    const number = accountNumber(started.accountSequence, this.numberKey);
    const creation: AccountCreation = {
      started,
      account: newAccount(read.value, number, supplier, this.clock.now()),
      preconditions: read.preconditions,
    };
    if (isDryRun) {
      await this.batches.rehearse(creation);
      if (started.isDryRun || supplier.creationMode === 'staged')
        return { kind: (await this.batches.succeedDryRun(started)) ? 'dry-run-succeeded' : 'outdated' };
    }
    const created = await this.batches.create(creation);
    if (!created) return read.preconditions.length > 0 ? this.workOn(started, 'asked') : { kind: 'outdated' };
    await this.followUps.enqueue(created, {
      supplier: supplier.code,
      externalAccountNumber: started.externalAccountNumber,
    });
    return { kind: 'processed' };
  }

  private isDryRunAhead({ isDryRun, isReleased, supplier }: StartedImport): boolean {
    return isDryRun || (supplier.creationMode !== 'direct' && !isReleased);
  }

  private async fail(
    started: StartedImport,
    { code, detail }: Failure,
    isDryRun: boolean,
  ): Promise<ImportOutcome> {
    const { processId, version, attempt } = started;
    const status = isDryRun ? 'DRY_RUN_ERRORED' : 'ERRORED';
    const failed: FailedImport = { processId, version, attempt, status, code, detail };
    return (await this.imports.fail(failed)) ? { kind: 'errored', code } : { kind: 'outdated' };
  }
}

/** One error speaks for itself; of several the codes are named, and the validate endpoint tells the rest. */
function failureOfValidation(errors: readonly FieldError[]): Failure {
  const [first] = errors;
  if (first && errors.length === 1) return { code: first.code, detail: `${first.attr}: ${first.detail}` };
  const named = errors.slice(0, 20).map(({ code, attr }) => `${attr}: ${code}`);
  return {
    code: 'import_process_failed_validation',
    detail: `The account data is not valid (${named.join(', ')}). See /v2/data-import/accounts/validate/.`,
  };
}

function failureOf(error: unknown): Failure {
  if (isTransient(error))
    return {
      code: 'temporarily_unavailable',
      detail: 'The account could not be created for reasons that will pass. Send it again.',
    };
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined;
  const broken = typeof constraint === 'string' ? BROKEN_CONSTRAINTS[constraint] : undefined;
  return (
    broken ?? {
      code: 'error',
      detail: 'The account could not be created. The operator can see why in the log.',
    }
  );
}
