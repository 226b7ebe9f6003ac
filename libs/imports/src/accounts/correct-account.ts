import { Injectable } from '@nestjs/common';
import { describeErrorCount, errorMembers } from '@portage/accounts';
import { Database, PortageError, type RequestTrail, translateErrors } from '@portage/platform';
import { type Caller, ImportSupplierDirectory, requireOngoing } from '@portage/tenants';
import { AcceptAccounts } from './accept-accounts';
import type { AcceptedAccount, Decision } from './account-to-accept';
import { formatPayloadDigest, hashPayload, parseAccountBody } from './account-body';
import { buildRefusalError } from './account-refusal';
import { AccountValidation } from './account-validation';
import { parseDryRun, TASK_PARAMS } from './task-params';
import { ImportProcessFinder } from '../processes/import-process-finder';
import type { ExistingProcess, PendingProcess } from '../processes/pending-process.repository';
import { decideCorrection } from './decide-correction';
import type { AccountCorrectionView } from './correction.dto';
import { ImportProcessCorrectionEntity } from '../processes/import-process-correction.entity';
import { PROCESS } from '../processes/process-error';

/** A request that corrects an account. */
export interface CorrectionRequest {
  /** The bare account, or `{ payload, task_params }`. */
  body: Record<string, unknown>;
  /** The header `If-Match`. */
  ifMatch: string | undefined;
  request?: RequestTrail;
}

/** The answer to a request that corrects an account. */
export interface AcceptedCorrection {
  view: AccountCorrectionView;
  /** False if the account has this content already. */
  isScheduled: boolean;
  ignoredFields: string[];
  payloadDigest: Buffer;
}

/** Accepts the correction of an imported account by its supplier. A worker performs it. */
@Injectable()
export class CorrectAccount {
  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    private readonly validation: AccountValidation,
    private readonly accounts: AcceptAccounts,
    private readonly processes: ImportProcessFinder,
    private readonly database: Database,
  ) {}

  /**
   * Schedules the correction of an account to the whole payload. When it returns, the correction is committed. Safe to
   * repeat: the same body changes nothing while the correction is pending, and nothing once the account has that content.
   *
   * @param identifier the external identifier of the account
   * @throws PortageError `not_found`, `account_not_imported`, `account_erased`, `corrections_not_allowed`,
   * `import_supplier_migration_not_ongoing`, `account_failed_validation`, `precondition_failed`,
   * `import_process_in_progress`, `external_identifier_already_exists`
   */
  async correct(
    { organisationId, actor }: Pick<Caller, 'organisationId' | 'actor'>,
    supplierCode: string,
    identifier: string,
    { body, ifMatch, request }: CorrectionRequest,
  ): Promise<AcceptedCorrection> {
    const supplier = await this.suppliers.require(organisationId, supplierCode);
    requireOngoing(supplier, PROCESS);
    if (!supplier.corrections)
      throw new PortageError(
        'corrections_not_allowed',
        'The operator does not allow corrections of this supplier.',
      );
    const existing = await this.processes.find('external_identifier', supplier.id, identifier);
    if (!existing) throw new PortageError('not_found', 'No account of this external identifier was sent.');
    const { payload, taskParams } = parseAccountBody(body);
    const isDryRun = requireParams(taskParams);
    const checked = await this.validation.checkPayload(supplier, payload);
    if (!checked.ok)
      throw new PortageError(
        'account_failed_validation',
        `The account data is not valid: ${describeErrorCount(checked.errorCount)}.`,
        errorMembers(checked.errors, checked.errorCount),
      );
    const { account, databaseRules: rules, contextDigest, ignoredFields } = checked;
    if (account.external_account_number !== existing.externalAccountNumber)
      throw invalid(
        'external_account_number',
        `A correction does not change the account number, which is ${existing.externalAccountNumber}. Take the account back, and send it with the other number.`,
      );
    const text = JSON.stringify(payload);
    const hashes = hashPayload(text, { is_dry_run: isDryRun });
    const [result] = await this.accounts.accept([
      {
        process: {
          ...hashes,
          supplierId: supplier.id,
          externalAccountNumber: account.external_account_number,
          externalIdentifier: account.external_identifier ?? account.external_account_number,
          isDryRun,
          scheduleWindowStart: null,
          scheduleWindowEnd: null,
          staging: null,
          payload: text,
          contextDigest,
          actor,
        },
        job: { organisationId, supplier: supplier.code },
        request,
        rules,
        isLookedUp: true,
        ifMissing: { kind: 'request', error: new PortageError('not_found', 'The account is gone.') },
        decide: (stored, process) => decideSingle(stored, process, ifMatch),
      },
    ]);
    if (result?.status !== 'fulfilled') throw result?.reason;
    return {
      ...(await this.answer(result.value)),
      ignoredFields,
      payloadDigest: hashes.payloadDigest,
    };
  }

  private async answer(accepted: AcceptedAccount): Promise<Pick<AcceptedCorrection, 'view' | 'isScheduled'>> {
    switch (accepted.kind) {
      case 'correcting': {
        const { version, changes } = accepted;
        const view = {
          version: version.version,
          changes: changes?.changes ?? null,
          change_count: changes?.count ?? null,
        };
        return { view, isScheduled: true };
      }
      case 'unchanged':
      case 'repeated': {
        const { existing } = accepted;
        const pending = existing?.correction;
        if (!existing || !pending)
          return {
            view: { version: existing?.version ?? 0, changes: [], change_count: 0 },
            isScheduled: false,
          };
        const { processId } = existing;
        const { version } = pending;
        const stored = await translateErrors(
          this.database.manager.findOneBy(ImportProcessCorrectionEntity, { processId, version }),
        );
        const changes = stored?.changes ?? null;
        return {
          view: { version, changes, change_count: changes && (stored?.changeCount ?? null) },
          isScheduled: true,
        };
      }
      case 'refused':
        throw buildRefusalError(accepted.refusal ?? { kind: 'invalid', errors: [] });
      default:
        throw new PortageError('unavailable', 'The account has changed at the same time. Send it again.');
    }
  }
}

/** Decides about a correction that a request sends by itself. */
function decideSingle(
  existing: ExistingProcess,
  sent: PendingProcess,
  ifMatch: string | undefined,
): Decision {
  const decision = decideCorrection(existing, sent);
  if (ifMatch === undefined || decision.kind === 'refused' || decision.kind === 'repeated') return decision;
  const digest = existing.payloadDigest && formatPayloadDigest(existing.payloadDigest.toString('base64'));
  if (digest === ifMatch) return decision;
  const detail = digest
    ? 'The account is not what If-Match says. Read it again, and send the correction with its digest.'
    : 'The payload of the account was erased, so it has no digest. Send the correction without If-Match.';
  return {
    kind: 'refused',
    refusal: { kind: 'request', error: new PortageError('precondition_failed', detail, PROCESS) },
  };
}

/** @throws PortageError `account_failed_validation` for parameters that a correction does not have */
function requireParams(taskParams: Record<string, unknown> | undefined): boolean {
  if (!taskParams) throw invalid('task_params', 'task_params must be an object.');
  const window = TASK_PARAMS.find((param) => param !== 'is_dry_run' && Boolean(taskParams[param]));
  if (window !== undefined)
    throw invalid(`task_params.${window}`, 'A correction begins at once. Leave the schedule window out.');
  const isDryRun = parseDryRun(taskParams);
  if (isDryRun === undefined) throw invalid('task_params.is_dry_run', 'Enter true or false.');
  return isDryRun;
}

function invalid(attr: string, detail: string): PortageError {
  return new PortageError(
    'account_failed_validation',
    'The account data is not valid: 1 error.',
    errorMembers([{ attr, code: 'invalid', detail }], 1),
  );
}
