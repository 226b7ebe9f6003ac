import { Injectable } from '@nestjs/common';
import { ProcessAccountRequest, validateBodyInSteps } from '@portage/account-schema/service';
import {
  AccountRequestDispatcher,
  AccountRequestRepository,
  buildNoOutcomeYet,
  buildValidationError,
  fingerprint,
  IdempotencyKeyRepository,
  type KeyedRequest,
  KeyedRequests,
} from '@portage/accounts';
import {
  AuditRepository,
  Database,
  type Executor,
  type FieldError,
  PortageError,
  runInSlices,
  Throttled,
} from '@portage/platform';
import {
  type Caller,
  ImportSupplierDirectory,
  type ImportSupplierEntity,
  migrationClosedMessage,
  requireOngoing,
  RuleSettingsDirectory,
  SchemaContexts,
} from '@portage/tenants';
import {
  ImportProcessStagingRepository,
  type StagingProcess,
} from '../processes/import-process-staging.repository';
import { ACTIVE_STATUSES, canSubmit } from '../processes/status';
import { AccountValidation } from '../accounts/account-validation';
import { findConstraintError } from '../accounts/import-failure';
import type { ProcessingInput, ProcessingOutcome } from './processing-request';
import {
  buildAccountErrors,
  buildAlreadyImported,
  buildInProgress,
  buildNotStaged,
  buildTeamError,
} from './staging-errors';
import { PROCESS } from '../processes/process-error';

/** An account that a request has created. */
export interface ProcessedAccount {
  /** Id of the stored request. */
  requestId: string;
  externalAccountNumber: string;
  accountNumber: string;
  ignoredFields: string[];
  /** True if a request with the same Idempotency-Key was answered before, and this is its answer. */
  isReplayed: boolean;
}

/** A request in a valid form, about an account of the supplier that may not exist. */
interface ProcessingOrder {
  supplier: ImportSupplierEntity;
  externalAccountNumber: string;
  team: string | undefined;
  isDryRun: boolean;
  ignoredFields: string[];
}

/** A request that was stored now or earlier. */
interface SubmittedRequest {
  id: string;
  processId: string;
  outcome: unknown;
  isNew: boolean;
  isReplayed: boolean;
}

const KIND = 'process-account';

/** When a client that is over the limit of a supplier may try again. An account takes less. */
const RETRY_AFTER_MS = 1_000;

/** The API's half of processing a staged account (v1): stores the request and has a worker create the account. */
@Injectable()
export class ProcessStagedAccount {
  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    private readonly contexts: SchemaContexts,
    private readonly ruleSettings: RuleSettingsDirectory,
    private readonly validation: AccountValidation,
    private readonly staging: ImportProcessStagingRepository,
    private readonly requests: AccountRequestRepository,
    private readonly keys: IdempotencyKeyRepository,
    private readonly keyedRequests: KeyedRequests,
    private readonly dispatcher: AccountRequestDispatcher,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Creates the account of a staged process now, and returns when it exists. An equal request in flight is joined. A
   * request whose client got no outcome, because no worker finished in time or the connection was lost, finds it.
   *
   * @throws PortageError with the codes of the request (`import_process_does_not_exist` and those about the team); the
   * errors of the account; `400` after a dry run that found nothing; Throttled; `unavailable` when no worker has
   * finished it within OUTCOME_WAIT_MS
   */
  async create(
    { organisationId, actor }: Pick<Caller, 'organisationId' | 'actor'>,
    submitted: Record<string, unknown>,
    idempotencyKey: string | undefined,
  ): Promise<ProcessedAccount> {
    const order = await this.read(organisationId, submitted);
    const request = await this.database.transaction(async (executor) =>
      this.submit(executor, order, { organisationId, actor, idempotencyKey }),
    );
    const outcome = await this.outcomeOf(request, order);
    switch (outcome.kind) {
      case 'created': {
        const { externalAccountNumber, ignoredFields } = order;
        const { id: requestId, isReplayed } = request;
        const { accountNumber } = outcome;
        return { requestId, externalAccountNumber, accountNumber, ignoredFields, isReplayed };
      }
      case 'dry-run-succeeded':
        throw new PortageError('400', 'Account would successfully import. Rolled back due to Dry Run.');
      case 'replaced':
        throw buildNotStaged();
      case 'errored':
        throw await this.buildFailure(organisationId, outcome.code, request.processId, order);
    }
  }

  /** Records that the client of a request did not get its outcome, so that the same request finds it. */
  async markUnanswered(requestId: string): Promise<void> {
    await this.requests.setUnanswered(this.database, requestId, true);
  }

  private async read(organisationId: number, submitted: Record<string, unknown>): Promise<ProcessingOrder> {
    const { import_supplier_code: code } = submitted;
    const supplier =
      typeof code === 'string' || typeof code === 'number'
        ? await this.suppliers.find(organisationId, String(code))
        : undefined;
    requireOngoing(supplier, PROCESS);
    const context = await this.contexts.build(supplier);
    const read = await runInSlices(validateBodyInSteps(ProcessAccountRequest, submitted, context));
    if (!read.ok) throw buildValidationError(read.errors, read.errorCount);
    if (!supplier) throw buildNotStaged();
    const { external_account_number: externalAccountNumber, operations_team_name: team } = read.value;
    if (team !== undefined) await this.requireTeam(supplier, team);
    const isDryRun = read.value.dry_run ?? false;
    return { supplier, externalAccountNumber, team, isDryRun, ignoredFields: read.ignoredFields };
  }

  private async requireTeam(supplier: ImportSupplierEntity, team: string): Promise<void> {
    if (allocatesTeams(supplier)) throw buildTeamError('operations_team_provided_when_using_auto_allocation');
    const { references } = await this.ruleSettings.forSupplier(supplier.ruleSettings);
    if (references?.has('operations_teams', team) === false)
      throw buildTeamError('operations_team_name_does_not_exist');
  }

  /** Stores the request and makes its process ready, or finds the request that it repeats. */
  private async submit(
    executor: Executor,
    order: ProcessingOrder,
    sender: { organisationId: number; actor: string; idempotencyKey: string | undefined },
  ): Promise<SubmittedRequest> {
    const { supplier, externalAccountNumber, team, isDryRun } = order;
    const { organisationId, actor, idempotencyKey } = sender;
    const print = fingerprint(KIND, supplier.id, externalAccountNumber, isDryRun, team ?? null);
    const keyed: KeyedRequest | undefined =
      idempotencyKey === undefined
        ? undefined
        : { organisationId, key: idempotencyKey, endpoint: KIND, fingerprint: print };
    const earlier = keyed && (await this.keyedRequests.claim(executor, keyed));
    const process = await this.staging.lock(executor, supplier.id, externalAccountNumber);
    if (!process) throw buildNotStaged();
    const { processId } = process;
    if (earlier?.requestId) {
      const { requestId: id, outcome } = earlier;
      return { id, processId, outcome, isNew: false, isReplayed: outcome !== null };
    }
    const repeated = await this.findRepeated(executor, process, print);
    if (repeated) {
      if (keyed) await this.keepKey(executor, keyed, repeated);
      return repeated;
    }
    if (process.accountNumber !== null)
      throw buildAlreadyImported(externalAccountNumber, process.accountNumber);
    if (!canSubmit(process)) throw isInProgress(process) ? buildInProgress() : buildNotStaged();
    if (team === undefined && !allocatesTeams(supplier)) await this.requireOwnTeam(executor, processId);
    await this.requireFreePlace(executor, supplier);
    const version = await this.staging.submit(executor, processId, { isDryRun, actor });
    if (!version) throw buildInProgress();
    const input: ProcessingInput = {
      ...version,
      supplier: supplier.code,
      externalAccountNumber,
      ...(team !== undefined && { operationsTeam: team }),
    };
    const id = await this.requests.insertProcessing(executor, {
      organisationId,
      processId,
      fingerprint: print,
      isKeyed: keyed !== undefined,
      actor,
      input,
    });
    if (keyed) await this.keys.attachRequest(executor, keyed, id);
    await this.audit.record(executor, {
      actor,
      action: 'account.process',
      supplier: supplier.code,
      subject: externalAccountNumber,
      details: { version: version.version, is_dry_run: isDryRun },
    });
    return { id, processId, outcome: null, isNew: true, isReplayed: false };
  }

  private async findRepeated(
    executor: Executor,
    { processId, staging }: StagingProcess,
    print: Buffer,
  ): Promise<SubmittedRequest | undefined> {
    // Staging the account again makes the request before an earlier one.
    const latest =
      staging === 'PROCESSING' ? await this.requests.findProcessing(executor, processId) : undefined;
    if (!latest?.fingerprint.equals(print)) return undefined;
    if (latest.outcome !== null) await this.requests.setUnanswered(executor, latest.id, false);
    return { ...latest, processId, isNew: false, isReplayed: false };
  }

  /** Stores the request that was joined under the key of the one that has joined it, unless it has created no account. */
  private async keepKey(
    executor: Executor,
    keyed: KeyedRequest,
    { id, outcome }: SubmittedRequest,
  ): Promise<void> {
    if (outcome === null || (outcome as ProcessingOutcome).kind === 'created')
      await this.keys.attachRequest(executor, keyed, id);
    else await this.keys.release(executor, keyed);
  }

  private async requireOwnTeam(executor: Executor, processId: string): Promise<void> {
    const team = (await this.staging.readPayload(processId, executor))?.['operations_team_name'];
    if (typeof team !== 'string' || team.trim() === '')
      throw buildTeamError('operations_team_should_be_provided');
  }

  private async requireFreePlace(
    executor: Executor,
    { id, maxProcessingAccounts: limit }: ImportSupplierEntity,
  ): Promise<void> {
    if (limit !== null && (await this.staging.isProcessingLimitReached(executor, id, limit)))
      throw new Throttled(
        `This import supplier may have ${limit} accounts processed at the same time.`,
        RETRY_AFTER_MS,
      );
  }

  private async outcomeOf(request: SubmittedRequest, order: ProcessingOrder): Promise<ProcessingOutcome> {
    if (request.outcome !== null) return request.outcome as ProcessingOutcome;
    const { externalAccountNumber, supplier } = order;
    const { organisationId, code } = supplier;
    const label = { organisationId, supplier: code, externalAccountNumber };
    const finished = await this.dispatcher.awaitOutcome(KIND, request, label);
    if (finished) return finished.outcome as ProcessingOutcome;
    await this.markUnanswered(request.id);
    throw buildNoOutcomeYet();
  }

  /**
   * The error for a process that ended with the code. The errors of the account are found again, so that no outcome
   * stores values of an account.
   */
  private async buildFailure(
    organisationId: number,
    code: string,
    processId: string,
    { supplier, team }: ProcessingOrder,
  ): Promise<PortageError> {
    if (code === 'import_supplier_migration_not_ongoing')
      return new PortageError(code, migrationClosedMessage(supplier.status), PROCESS);
    if (code === 'temporarily_unavailable')
      return new PortageError(
        'unavailable',
        'The account could not be created for reasons that will pass. Send the request again.',
      );
    if (code === 'error')
      return new PortageError(
        'error',
        'The account could not be created, for a reason on our side that the operator can see in the log.',
      );
    const stored = (await this.staging.readPayload(processId)) ?? {};
    const payload = team === undefined ? stored : { ...stored, operations_team_name: team };
    const checked = await this.validation.check(supplier, payload);
    const errors = checked.ok ? [errorOf(code)] : checked.errors;
    return buildAccountErrors(errors, payload, supplier.v1ErrorFormat);
  }
}

/** Whether the platform allocates the operations teams of a supplier; it does unless the setting is off. */
function allocatesTeams({ ruleSettings }: ImportSupplierEntity): boolean {
  return ruleSettings['auto_allocate_operations_team'] !== false;
}

function isInProgress({ status }: StagingProcess): boolean {
  return ACTIVE_STATUSES.includes(status);
}

/** The error of an account that is valid by now, or that only the database refused. */
function errorOf(code: string): FieldError {
  return (
    findConstraintError(code) ?? {
      attr: 'non_field_errors',
      code,
      detail: 'The account was not valid when it was processed. Send the request again.',
    }
  );
}
