import { Inject, Injectable } from '@nestjs/common';
import type { ImportSupplierEntity, KeyedRequest, ScheduledImport } from '@portage/database';
import { type Clock, PortageError } from '@portage/domain';
import { Metrics } from '@portage/observability';
import type { Caller } from '../access/authenticate';
import { CLOCK } from '../clock-token';
import { fingerprint } from '../idempotency/fingerprint';
import { nextTurn } from '../large-bodies/cpu-turns';
import { isLarge } from '../large-bodies/is-large';
import { ImportSupplierDirectory } from '../suppliers/import-supplier-directory';
import { migrationClosedMessage } from '../suppliers/migration-closed-message';
import { supplierCodeOf } from '../suppliers/supplier-code';
import { hashPayload, parseAccountBody } from './account-body';
import { AccountValidation } from './account-validation';
import type { DatabaseRules } from './database-rules';
import { ImportJobs } from './import-jobs';
import { failedValidation, ScheduledImports } from './scheduled-imports';
import { givenParams, parseDryRun, parseWindow } from './task-params';

const PROCESS = { domain: 'import_process' } as const;

interface SchedulingAnswer {
  /** Paths of undocumented fields, which are stored but have no effect. */
  ignoredFields: string[];
}

/** The answer to a request that schedules an account. */
export interface ScheduledAccount extends SchedulingAnswer {
  /** True if a request with the same Idempotency-Key was answered before, and this is its answer. */
  isReplayed: boolean;
  /** SHA-256 of the accepted payload. */
  payloadDigest: Buffer;
}

/**
 * Schedules the creation of an account (contract 4.7). When it returns, the process is committed, as the 201 promises.
 * The job is added afterwards; if that fails, the sweeper adds it.
 */
@Injectable()
export class ScheduleAccount {
  constructor(
    private readonly validation: AccountValidation,
    private readonly suppliers: ImportSupplierDirectory,
    private readonly imports: ScheduledImports,
    private readonly jobs: ImportJobs,
    private readonly metrics: Metrics,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Safe to repeat: the same body changes nothing while its process is queued or running, even if the start of its
   * window has passed since the first request. While the process is PENDING, parameters that the body does not set keep
   * their values, also if the payload has changed.
   *
   * @param body the bare account, or `{ payload, task_params }`
   * @param idempotencyKey the same body with the same key gets the first answer, even after the account was created
   * @throws PortageError with the codes of contract 4.7; `idempotency_key_reused`
   */
  async schedule(
    caller: Pick<Caller, 'organisationId' | 'actor'>,
    body: Record<string, unknown>,
    idempotencyKey?: string,
  ): Promise<ScheduledAccount> {
    const { organisationId, actor } = caller;
    const isLong = isLarge(body);
    if (isLong && idempotencyKey !== undefined) await nextTurn();
    const keyed = keyedRequest(organisationId, body, idempotencyKey);
    const request = parseAccountBody(body);
    const { payload, taskParams } = request;
    const earlier = keyed && (await this.imports.findAnswer<SchedulingAnswer>(keyed));
    if (earlier) {
      const { payloadDigest } = hashPayload(JSON.stringify(payload), {});
      return { ...earlier.answer, isReplayed: true, payloadDigest };
    }

    // Malformed parameters are refused, because a malformed request for a dry run must not create an account.
    if (!taskParams)
      throw new PortageError('import_process_failed_validation', 'task_params must be an object.', PROCESS);
    const named = await this.requireOngoing(organisationId, supplierCodeOf(payload));
    const window = parseWindow(taskParams, this.clock.now(), named?.timeZone ?? 'UTC');
    const checked = await this.validation.checkPayload(organisationId, request);
    if (!checked.ok) throw failedValidation();
    const { supplier, account, ignoredFields, databaseRules, contextDigest } = checked;
    if (isLong) await nextTurn();
    const payloadText = JSON.stringify(payload);
    if (isLong) await nextTurn();
    const identified = {
      supplierId: supplier.id,
      externalAccountNumber: account.external_account_number,
      ...hashPayload(payloadText, taskParams),
    };
    const { payloadDigest } = identified;
    if ('code' in window) {
      await this.requireDatabaseRules(databaseRules);
      // The window of a repeated request may have opened since the first one.
      if (!(await this.imports.isActive(identified)))
        throw new PortageError(window.code, window.detail, PROCESS);
      this.metrics.scheduled.inc({ outcome: 'unchanged' });
      return { ignoredFields, isReplayed: false, payloadDigest };
    }
    // Only the insert of a request without a key verifies the database rules as well.
    if (keyed) await this.requireDatabaseRules(databaseRules);
    const scheduled: ScheduledImport = {
      ...identified,
      externalIdentifier: account.external_identifier ?? account.external_account_number,
      isDryRun: requireDryRun(taskParams),
      scheduleWindowStart: window.start,
      scheduleWindowEnd: window.end,
      payload: payloadText,
      contextDigest,
      actor,
    };
    const given = givenParams(taskParams);
    const label = {
      organisationId,
      supplier: supplier.code,
      externalAccountNumber: scheduled.externalAccountNumber,
    };
    const stored = keyed
      ? await this.imports.addKeyed(keyed, scheduled, given, { ignoredFields })
      : { ...(await this.imports.add(scheduled, given, databaseRules, label)), isReplayed: false };
    this.metrics.scheduled.inc({ outcome: stored.outcome });
    if (stored.version) await this.jobs.add(stored.version, label, stored.scheduleWindowStart);
    return { ignoredFields, isReplayed: stored.isReplayed, payloadDigest };
  }

  private async requireDatabaseRules(rules: DatabaseRules): Promise<void> {
    if ((await this.validation.findBreaches(rules)).length > 0) throw failedValidation();
  }

  private async requireOngoing(
    organisationId: number,
    code: string | undefined,
  ): Promise<ImportSupplierEntity | undefined> {
    const supplier = code === undefined ? undefined : await this.suppliers.find(organisationId, code);
    if (supplier && supplier.status !== 'Ongoing')
      throw new PortageError(
        'import_supplier_migration_not_ongoing',
        migrationClosedMessage(supplier.status),
        PROCESS,
      );
    return supplier;
  }
}

function keyedRequest(
  organisationId: number,
  body: Record<string, unknown>,
  key: string | undefined,
): KeyedRequest | undefined {
  return key === undefined
    ? undefined
    : { organisationId, key, endpoint: 'accounts', fingerprint: fingerprint('accounts', body) };
}

function requireDryRun(taskParams: Record<string, unknown>): boolean {
  const isDryRun = parseDryRun(taskParams);
  if (isDryRun !== undefined) return isDryRun;
  throw new PortageError(
    'import_process_failed_validation',
    'task_params.is_dry_run must be true or false.',
    PROCESS,
  );
}
