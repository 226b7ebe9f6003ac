import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { fingerprint, KeyedRequests } from '@portage/accounts';
import { AuditRepository, type Executor, isLarge, nextTurn, Quotas } from '@portage/platform';
import type { Caller, ImportSupplierEntity } from '@portage/tenants';
import type { ExistingProcess, PendingProcess } from '../processes/pending-process.repository';
import { canStage } from '../processes/status';
import { AcceptAccounts } from '../accounts/accept-accounts';
import type { AccountToAccept, Decision } from '../accounts/account-to-accept';
import { canReimport } from '../processes/erased-numbers';
import { buildIdentifierTaken, translateIdentifierConflict } from '../accounts/account-refusal';
import { StagedAccountValidation } from './staged-account-validation';
import { buildAlreadyImported, buildInProgress } from './staging-errors';

interface StagingAnswer {
  externalAccountNumber: string;
  supplier: string;
  /** False if an earlier stage of the account was replaced. */
  isNew: boolean;
  ignoredFields: string[];
}

/** The answer to a request that stages an account. */
export interface StagedAccount extends StagingAnswer {
  /** True if a request with the same Idempotency-Key was answered before, and this is its answer. */
  isReplayed: boolean;
}

const ENDPOINT = 'staged-accounts';

/** Stages accounts (v1): validates and stores them without a job. A later request has the account created. */
@Injectable()
export class StageAccount {
  constructor(
    private readonly validation: StagedAccountValidation,
    private readonly accounts: AcceptAccounts,
    private readonly keyedRequests: KeyedRequests,
    private readonly audit: AuditRepository,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Stages an account, in place of an earlier stage of the same account. Safe to repeat until the account exists.
   *
   * @param payload the bare account
   * @throws PortageError `account_failed_validation`, `account_import_process_already_imported`,
   * `import_process_in_progress`, `external_identifier_already_exists`, `import_supplier_migration_not_ongoing`,
   * `idempotency_key_reused`, `quota_reached`
   */
  async stage(
    { organisationId, actor }: Pick<Caller, 'organisationId' | 'actor'>,
    payload: Record<string, unknown>,
    idempotencyKey: string | undefined,
  ): Promise<StagedAccount> {
    const isLong = isLarge(payload);
    if (isLong) await nextTurn();
    const request = { organisationId, endpoint: ENDPOINT, fingerprint: fingerprint(ENDPOINT, payload) };
    const earlier =
      idempotencyKey === undefined
        ? undefined
        : await this.keyedRequests.findAnswer<StagingAnswer>({ ...request, key: idempotencyKey });
    if (earlier) return { ...earlier.answer, isReplayed: true };

    const checked = await this.validation.check(organisationId, payload);
    if (!checked.ok) throw checked.refusal;
    const { account, supplier, ignoredFields } = checked;
    const externalAccountNumber = account.external_account_number;
    if (isLong) await nextTurn();
    const payloadText = JSON.stringify(payload);
    const staged: AccountToAccept = {
      process: {
        supplierId: supplier.id,
        externalAccountNumber,
        externalIdentifier: account.external_identifier ?? externalAccountNumber,
        isDryRun: false,
        scheduleWindowStart: null,
        scheduleWindowEnd: null,
        staging: 'WAITING',
        payloadHash: hashOf(payloadText),
        payloadDigest: null,
        payload: payloadText,
        contextDigest: null,
        actor,
      },
      job: { organisationId, supplier: supplier.code },
      rules: checked.databaseRules,
      breaches: [],
      decide: (existing, process) => decideStage(existing, process, supplier),
    };
    const store = async () =>
      this.keyedRequests.run<StagingAnswer>({ ...request, key: idempotencyKey }, async (executor) => {
        const isNew = await this.store(executor, staged);
        await this.audit.record(executor, {
          actor,
          action: 'account.stage',
          supplier: supplier.code,
          subject: externalAccountNumber,
        });
        return { externalAccountNumber, supplier: supplier.code, isNew, ignoredFields };
      });
    await this.quotas.take('staged_accounts', { supplierId: supplier.id });
    const { answer, isReplayed } = await translateIdentifierConflict(store);
    return { ...answer, isReplayed };
  }

  /** @returns false if an earlier stage was replaced */
  private async store(executor: Executor, staged: AccountToAccept): Promise<boolean> {
    const [result] = await this.accounts.store([staged], undefined, executor);
    if (result?.status !== 'fulfilled') throw result?.reason;
    const { value } = result;
    if (value.kind === 'refused' && value.refusal?.kind === 'existing') {
      const { accountNumber } = value.refusal.process;
      if (accountNumber === null) throw buildInProgress();
      throw buildAlreadyImported(staged.process.externalAccountNumber, accountNumber);
    }
    if (value.kind === 'refused') throw buildIdentifierTaken();
    return !('process' in value) || !value.process.replaces?.staging;
  }
}

function decideStage(
  existing: ExistingProcess,
  staged: PendingProcess,
  supplier: ImportSupplierEntity,
): Decision {
  if (canReimport(existing, supplier))
    return { kind: 'replace', process: { ...staged, reimports: existing } };
  return existing.accountNumber === null && canStage(existing)
    ? { kind: 'replace', process: { ...staged, replaces: existing } }
    : { kind: 'refused', refusal: { kind: 'existing', process: existing } };
}

/** Differs from the hash of the same account when it is scheduled, so that scheduling a staged account is a change. */
function hashOf(payloadText: string): Buffer {
  return createHash('sha256').update('staged\0').update(payloadText).digest();
}
