import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  AuditRepository,
  type Executor,
  ImportProcessSchedulingRepository,
  ImportProcessStagingRepository,
  type StagedImport,
} from '@portage/database';
import { canStage, PortageError } from '@portage/domain';
import type { Caller } from '../access/authenticate';
import { identifierTaken, translateIdentifierConflict } from '../account/scheduled-imports';
import { fingerprint } from '../idempotency/fingerprint';
import { KeyedRequests } from '../idempotency/keyed-requests';
import { nextTurn } from '../large-bodies/cpu-turns';
import { isLarge } from '../large-bodies/is-large';
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
    private readonly staging: ImportProcessStagingRepository,
    private readonly processes: ImportProcessSchedulingRepository,
    private readonly keyedRequests: KeyedRequests,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Stages an account, in place of an earlier stage of the same account. Safe to repeat until the account exists.
   *
   * @param payload the bare account
   * @throws PortageError `account_failed_validation`, `account_import_process_already_imported`,
   * `import_process_in_progress`, `external_identifier_already_exists`, `import_supplier_migration_not_ongoing`,
   * `idempotency_key_reused`
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
    const staged: StagedImport = {
      supplierId: supplier.id,
      externalAccountNumber,
      externalIdentifier: account.external_identifier ?? externalAccountNumber,
      payloadHash: hashOf(payloadText),
      payload: payloadText,
      actor,
    };
    const { answer, isReplayed } = await translateIdentifierConflict(async () =>
      this.keyedRequests.run<StagingAnswer>({ ...request, key: idempotencyKey }, async (executor) => {
        const isNew = await this.store(executor, staged);
        await this.audit.record(executor, {
          actor,
          action: 'account.stage',
          supplier: supplier.code,
          subject: externalAccountNumber,
        });
        return { externalAccountNumber, supplier: supplier.code, isNew, ignoredFields };
      }),
    );
    return { ...answer, isReplayed };
  }

  /** @returns false if an earlier stage was replaced */
  private async store(executor: Executor, staged: StagedImport): Promise<boolean> {
    if (await this.staging.insert(executor, staged)) return true;
    const { supplierId, externalAccountNumber } = staged;
    const process = await this.staging.lock(executor, supplierId, externalAccountNumber);
    if (await this.processes.isIdentifierTaken(executor, staged)) throw identifierTaken();
    // The process existed a moment ago, so it was deleted concurrently. The client repeats the request.
    if (!process)
      throw new PortageError('unavailable', 'The account could not be stored just now. Send it again.');
    if (process.accountNumber !== null)
      throw buildAlreadyImported(externalAccountNumber, process.accountNumber);
    if (!canStage(process) || !(await this.staging.replace(executor, process.processId, staged)))
      throw buildInProgress();
    return process.staging === null;
  }
}

/** Differs from the hash of the same account when it is scheduled, so that scheduling a staged account is a change. */
function hashOf(payloadText: string): Buffer {
  return createHash('sha256').update('staged\0').update(payloadText).digest();
}
