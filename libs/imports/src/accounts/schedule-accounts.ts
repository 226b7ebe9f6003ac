import { Inject, Injectable } from '@nestjs/common';
import { fingerprint, type KeyedRequest, KeyedRequests } from '@portage/accounts';
import {
  type Clock,
  CLOCK,
  type Executor,
  isLarge,
  nextTurn,
  PortageError,
  type RequestTrail,
  TimeSlice,
} from '@portage/platform';
import { type Caller, ImportSupplierDirectory, requireOngoing } from '@portage/tenants';
import { AcceptAccounts } from './accept-accounts';
import type { AcceptedAccount, AccountToAccept } from './account-to-accept';
import { hashPayload, parseAccountBody } from './account-body';
import { buildRefusalError, translateIdentifierConflict } from './account-refusal';
import { AccountValidation } from './account-validation';
import { decideRepost } from './repost';
import { givenParams, parseDryRun, parseWindow } from './task-params';
import { PROCESS } from '../processes/process-error';

/** An account that a request sends. */
export interface PostedAccount {
  caller: Pick<Caller, 'organisationId' | 'actor'>;
  /** The bare account, or `{ payload, task_params }`. */
  body: Record<string, unknown>;
  request?: RequestTrail;
}

/** The answer to a request that schedules an account. */
export interface ScheduledAccount {
  /** Paths of undocumented fields, which are stored but have no effect. */
  ignoredFields: string[];
  /** True if a request with the same Idempotency-Key was answered before, and this is its answer. */
  isReplayed: boolean;
  /** SHA-256 of the accepted payload. */
  payloadDigest: Buffer;
}

/** A valid account, with what its answer names. */
interface SchedulableAccount extends AccountToAccept {
  ignoredFields: string[];
}

/**
 * Schedules the creation of accounts that requests send (contract, "Schedule an account"). When it returns, the
 * processes are committed, as the 201 promises.
 *
 * Safe to repeat: the same body changes nothing while its process is queued or running, even if the start of its window
 * has passed since the first request. While the process is PENDING, parameters that the body does not set keep their
 * values, also if the payload has changed.
 */
@Injectable()
export class ScheduleAccounts {
  constructor(
    private readonly validation: AccountValidation,
    private readonly suppliers: ImportSupplierDirectory,
    private readonly accounts: AcceptAccounts,
    private readonly keyedRequests: KeyedRequests,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Schedules accounts. Each has its own result: an account that is refused does not affect the others.
   *
   * @param posted no two accounts may have the same account number
   * @returns for each account its answer, or a PortageError with the codes of the contract, "Schedule an account"
   */
  async schedule(posted: readonly PostedAccount[]): Promise<PromiseSettledResult<ScheduledAccount>[]> {
    const slice = new TimeSlice();
    const checks: PromiseSettledResult<SchedulableAccount>[] = [];
    for (const account of posted) {
      await slice.pause();
      const [check] = await Promise.allSettled([this.check(account)]);
      checks.push(check);
    }
    const valid = checks.flatMap((check) => (check.status === 'fulfilled' ? [check.value] : []));
    const accepted = (await this.accounts.accept(valid)).values();
    return checks.map((check) => {
      if (check.status === 'rejected') return check;
      const result = accepted.next().value as PromiseSettledResult<AcceptedAccount>;
      if (result.status === 'rejected') return result;
      const error = errorOf(result.value);
      return error
        ? { status: 'rejected', reason: error }
        : { status: 'fulfilled', value: answerOf(check.value, false) };
    });
  }

  /**
   * As {@link schedule}, for a request with an `Idempotency-Key`: the same body with the same key gets the first answer,
   * even after the account was created. The account is stored in one transaction with its answer.
   *
   * @throws PortageError with the codes of the contract, "Schedule an account"; `idempotency_key_reused`
   */
  async scheduleWithKey(posted: PostedAccount, key: string): Promise<ScheduledAccount> {
    const { caller, body } = posted;
    if (isLarge(body)) await nextTurn();
    const keyed: KeyedRequest = {
      organisationId: caller.organisationId,
      key,
      endpoint: 'accounts',
      fingerprint: fingerprint('accounts', body),
    };
    const earlier = await this.keyedRequests.findAnswer<Pick<ScheduledAccount, 'ignoredFields'>>(keyed);
    if (earlier) {
      const { payload } = parseAccountBody(body);
      const { payloadDigest } = hashPayload(JSON.stringify(payload), {});
      return { ...earlier.answer, isReplayed: true, payloadDigest };
    }
    const checked = await this.check(posted);
    // Before the transaction, which has a connection of its own.
    const account = { ...checked, breaches: await this.validation.findBreaches(checked.rules) };
    const { ignoredFields } = account;
    let results: PromiseSettledResult<AcceptedAccount>[] = [];
    let processId: string | undefined;
    const work = async (executor: Executor) => {
      results = await this.accounts.store([account], undefined, executor);
      const [result] = results;
      if (result?.status !== 'fulfilled') throw result?.reason;
      const error = errorOf(result.value);
      if (error) throw error;
      if ('version' in result.value) processId = result.value.version.processId;
      return { ignoredFields };
    };
    const { isReplayed } = await translateIdentifierConflict(async () =>
      this.keyedRequests.run(keyed, work, () => processId),
    );
    await this.accounts.addJobs([account], results);
    return answerOf(account, isReplayed);
  }

  /**
   * @throws PortageError with the codes of the contract, "Schedule an account"; DocumentStoreUnavailable where
   * documents are verified
   */
  private async check({ caller, body, request }: PostedAccount): Promise<SchedulableAccount> {
    const { organisationId, actor } = caller;
    const { payload, taskParams } = parseAccountBody(body);
    // Malformed parameters are refused, because a malformed request for a dry run must not create an account.
    if (!taskParams)
      throw new PortageError('import_process_failed_validation', 'task_params must be an object.', PROCESS);
    const named = await this.suppliers.findNamed(organisationId, payload);
    requireOngoing(named, PROCESS);
    const window = parseWindow(taskParams, this.clock.now(), named?.timeZone ?? 'UTC');
    const checked = await this.validation.checkPayload(named, payload);
    if (!checked.ok) throw buildRefusalError({ kind: 'invalid', errors: checked.errors });
    const hasPassed = 'code' in window;
    const { account, supplier, databaseRules, contextDigest, ignoredFields } = checked;
    const isLong = isLarge(body);
    if (isLong) await nextTurn();
    const payloadText = JSON.stringify(payload);
    if (isLong) await nextTurn();
    const hashes = hashPayload(payloadText, taskParams);
    const given = givenParams(taskParams);
    return {
      ignoredFields,
      process: {
        ...hashes,
        supplierId: supplier.id,
        externalAccountNumber: account.external_account_number,
        externalIdentifier: account.external_identifier ?? account.external_account_number,
        isDryRun: hasPassed ? false : requireDryRun(taskParams),
        scheduleWindowStart: hasPassed ? null : (window.start?.toISOString() ?? null),
        scheduleWindowEnd: hasPassed ? null : window.end.toISOString(),
        staging: null,
        payload: payloadText,
        contextDigest,
        actor,
      },
      job: { organisationId, supplier: supplier.code },
      request,
      rules: databaseRules,
      decide: (existing, process) => decideRepost(existing, process, given, supplier),
      // The window of a repeated request may have opened since the first one.
      ...(hasPassed && {
        refusal: { kind: 'request', error: new PortageError(window.code, window.detail, PROCESS) },
      }),
    };
  }
}

function answerOf({ ignoredFields, process }: SchedulableAccount, isReplayed: boolean): ScheduledAccount {
  return { ignoredFields, isReplayed, payloadDigest: process.payloadDigest as Buffer };
}

function errorOf(accepted: AcceptedAccount): PortageError | undefined {
  if (accepted.kind !== 'refused') return undefined;
  return buildRefusalError(accepted.refusal ?? { kind: 'invalid', errors: [] });
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
