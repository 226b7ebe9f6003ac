import { Inject, Injectable } from '@nestjs/common';
import type {
  AccountCreation,
  AccountCreationResult,
  FailedImport,
  ProcessVersion,
  StartedImport,
} from '@portage/database';
import { type Clock, type FieldError, type ProcessError, VENDOR_REFUSALS } from '@portage/domain';
import { Logger } from '@portage/observability';
import { CLOCK } from '../clock-token';
import { migrationClosedMessage } from '../suppliers/migration-closed-message';
import { isTransient } from '../transient-failure';
import { AccountFollowUps } from '../follow-ups/account-follow-ups';
import { AccountNumbers } from './account-numbers';
import { AccountValidation } from './account-validation';
import type { DatabaseRules } from './database-rules';
import { newAccount } from './new-account/new-account';
import { AccountImports } from './ports/account-imports';

/**
 * The result of a job. `outdated`: its process has a later version or attempt, or is finished, so nothing was stored; it
 * has the code of the error if the version of the job has ended with one. `early`: the schedule window is yet to open.
 */
export type ImportOutcome =
  | { kind: 'processed' | 'dry-run-succeeded' | 'cancelled' }
  | { kind: 'outdated'; code?: string }
  | { kind: 'early'; opensInMs: number }
  | { kind: 'errored'; code: string };

/** Attempts of one version. A process that exceeds them probably crashes its workers, so it is failed. */
const MAX_ATTEMPTS = 25;

type Failure = Pick<ProcessError, 'code' | 'detail'>;

/** The error for a violated constraint of the database, by the name of the constraint. */
const BROKEN_CONSTRAINTS: Readonly<Record<string, FieldError>> = {
  account_external_account_number: {
    attr: 'external_account_number',
    code: 'account_import_process_already_imported',
    detail: 'Another account of this supplier has the same external_account_number.',
  },
  account_reference_value: {
    attr: 'references',
    code: 'reference_already_exists',
    detail: 'Another account of this supplier has one of the references.',
  },
  historical_statement_identity: {
    attr: 'historical_statements',
    code: 'historical_statement_already_exists',
    detail: 'Two statements of the account have the same statement_id.',
  },
  payment_instruction_one_organisation: {
    attr: 'payment_preference',
    code: 'instruction_not_available',
    detail: VENDOR_REFUSALS.instruction_not_available,
  },
  account_external_identifier: {
    attr: 'external_identifier',
    code: 'external_identifier_already_exists',
    detail: 'Another account of this supplier has the same external_identifier.',
  },
};

/** The error of an account that the database refused, by the code that its process ended with. */
export function findConstraintError(code: string): FieldError | undefined {
  return Object.values(BROKEN_CONSTRAINTS).find((error) => error.code === code);
}

/** Processes one version of an import process: a dry run, or the creation of the account. */
@Injectable()
export class ImportAccount {
  constructor(
    private readonly imports: AccountImports,
    private readonly accountNumbers: AccountNumbers,
    private readonly validation: AccountValidation,
    private readonly followUps: AccountFollowUps,
    private readonly logger: Logger,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Safe to repeat and to run concurrently: only the attempt that started last can store a result.
   *
   * @param isLastAttempt true if the queue will not retry, so that a transient failure ends the process too
   * @param changes fields of the account that replace those of its payload
   * @throws transient failures, which the queue retries
   */
  async run(
    job: ProcessVersion,
    isLastAttempt: boolean,
    changes: Readonly<Record<string, unknown>> = {},
  ): Promise<ImportOutcome> {
    const started = await this.imports.start(job);
    if (!started) return this.endUnstarted(job);
    try {
      return await this.process(withChanges(started, changes));
    } catch (error) {
      if (isTransient(error) && !isLastAttempt) throw error;
      const failure = failureOf(error);
      if (failure.code === 'error')
        this.logger.failure('An account could not be created.', { ...job, error });
      return this.fail(started, failure);
    }
  }

  private async endUnstarted(job: ProcessVersion): Promise<ImportOutcome> {
    if (await this.imports.cancelMissed(job)) return { kind: 'cancelled' };
    const { code, opensInMs } = await this.imports.findReason(job);
    if (opensInMs !== undefined) return { kind: 'early', opensInMs };
    return { kind: 'outdated', ...(code !== undefined && { code }) };
  }

  private async process(started: StartedImport): Promise<ImportOutcome> {
    const { supplier } = started;
    if (supplier.status !== 'Ongoing')
      return this.fail(started, {
        code: 'import_supplier_migration_not_ongoing',
        detail: migrationClosedMessage(supplier.status),
      });
    if (started.attempt > MAX_ATTEMPTS)
      return this.fail(started, {
        code: 'error',
        detail: `Started ${MAX_ATTEMPTS} times without an outcome.`,
      });
    const settings = {
      ...supplier,
      // The API has checked undocumented fields when it accepted the payload.
      rejectUndocumentedFields: false,
      owner: { organisationId: supplier.organisationId, supplierId: supplier.id },
    };
    const read = await this.validation.read(started.payload, settings, started.contextDigest);
    if (!read.ok) return this.fail(started, failureOfValidation(read.errors));
    const number = await this.accountNumbers.derive(started.accountSequence);
    const creation = { started, account: newAccount(read.account, number, supplier, this.clock.now()) };
    return startsWithDryRun(started)
      ? this.rehearse(creation, read.databaseRules)
      : this.create(creation, read.databaseRules);
  }

  /** Runs the whole creation without its commit. In the creation mode `rehearsed` the account is created afterwards. */
  private async rehearse(creation: AccountCreation, rules: DatabaseRules): Promise<ImportOutcome> {
    const { started } = creation;
    const errors = await this.validation.findBreaches(rules);
    if (errors.length > 0) return this.fail(started, failureOfValidation(errors));
    await this.imports.rehearse(creation);
    if (started.isDryRun || started.supplier.creationMode === 'staged')
      return { kind: (await this.imports.succeedDryRun(started)) ? 'dry-run-succeeded' : 'outdated' };
    return this.conclude(started, await this.imports.create(creation));
  }

  /** Creates the account in one statement, which verifies the lookups of the rules as well. */
  private async create(creation: AccountCreation, rules: DatabaseRules): Promise<ImportOutcome> {
    const { started } = creation;
    const result = await this.imports.create({ ...creation, preconditions: rules.lookups });
    if (result.kind !== 'findings') return this.conclude(started, result);
    const errors = await rules.evaluateFindings(result.findings);
    if (errors.length > 0) return this.fail(started, failureOfValidation(errors));
    return this.conclude(started, await this.imports.create(creation));
  }

  private async conclude(started: StartedImport, result: AccountCreationResult): Promise<ImportOutcome> {
    if (result.kind !== 'created') return { kind: 'outdated' };
    const { supplier, externalAccountNumber } = started;
    const { organisationId, code } = supplier;
    await this.followUps.enqueue(result.account, { organisationId, supplier: code, externalAccountNumber });
    return { kind: 'processed' };
  }

  private async fail(started: StartedImport, { code, detail }: Failure): Promise<ImportOutcome> {
    const { processId, version, attempt } = started;
    const status = startsWithDryRun(started) ? 'DRY_RUN_ERRORED' : 'ERRORED';
    const failed: FailedImport = { processId, version, attempt, status, code, detail };
    return (await this.imports.fail(failed)) ? { kind: 'errored', code } : { kind: 'outdated' };
  }
}

/** Replaces fields of the payload, which the API has not validated together then. */
function withChanges(started: StartedImport, changes: Readonly<Record<string, unknown>>): StartedImport {
  if (Object.keys(changes).length === 0) return started;
  return { ...started, payload: { ...started.payload, ...changes }, contextDigest: null };
}

function startsWithDryRun({ isDryRun, isReleased, supplier }: StartedImport): boolean {
  return isDryRun || (supplier.creationMode !== 'direct' && !isReleased);
}

/** Has the detail of a single error, or the codes of several, which the validate endpoint returns in full. */
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
