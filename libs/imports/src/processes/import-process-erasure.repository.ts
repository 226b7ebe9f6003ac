import { Injectable } from '@nestjs/common';
import { AccountRequestEntity, IdempotencyKeyEntity } from '@portage/accounts';
import type { Executor } from '@portage/platform';
import { In, LessThan, Not } from 'typeorm';
import { ImportProcessCorrectionEntity } from './import-process-correction.entity';
import { ImportProcessEventEntity } from './import-process-event.entity';
import { ImportProcessPayloadEntity } from './import-process-payload.entity';
import { ImportProcessEntity } from './import-process.entity';
import type { ImportProcessStatus } from './status';

/** A process that is locked until the transaction ends. */
export interface LockedProcess {
  id: string;
  status: ImportProcessStatus;
  accountNumber: string | null;
  /** True if its payload has been erased. */
  isErased: boolean;
}

/** A process whose data was erased. */
export interface ErasedProcess {
  supplierId: number;
  externalAccountNumber: string;
}

/** The statuses of the partial index `import_process_payload_kept`. */
const ERASABLE: readonly ImportProcessStatus[] = [
  'DRY_RUN_SUCCEEDED',
  'DRY_RUN_ERRORED',
  'CANCELLED',
  'ERRORED',
];

const NOTHING = Buffer.alloc(0);

const ERASED_DETAIL = `CASE WHEN error_code IS NOT NULL THEN 'The details were erased with the account data.' END`;

/**
 * Erases the personal data of finished processes that have no account: payload, external identifier, error detail,
 * warnings and requests about it with their answers. The external account number, the status and the events stay, and
 * an external identifier that is the account number.
 */
@Injectable()
export class ImportProcessErasureRepository {
  /** Finds a process, and locks it. */
  async lock(
    executor: Executor,
    supplierId: number,
    externalAccountNumber: string,
  ): Promise<LockedProcess | undefined> {
    const found = await executor.manager.findOne(ImportProcessEntity, {
      where: { supplierId, externalAccountNumber },
      lock: { mode: 'for_no_key_update' },
    });
    if (!found) return undefined;
    const { id, status, accountNumber, payloadHash } = found;
    return { id, status, accountNumber, isErased: payloadHash.length === 0 };
  }

  /**
   * Erases processes that the transaction has locked, with the event ERASED.
   *
   * @returns those that were erased: their status allows it, and they were not erased before
   */
  async erase(
    executor: Executor,
    processIds: readonly string[],
    actor: string | null,
  ): Promise<ErasedProcess[]> {
    const erasable = await executor.manager.findBy(ImportProcessEntity, {
      id: In(processIds),
      status: In(ERASABLE),
      payloadHash: Not(NOTHING),
    });
    const ids = erasable.map(({ id }) => id);
    if (ids.length === 0) return [];
    await executor.manager.update(
      ImportProcessEntity,
      { id: In(ids) },
      {
        ...ERASED_PAYLOAD,
        errorFields: null,
        externalIdentifier: () =>
          'CASE WHEN external_identifier = external_account_number THEN external_identifier END',
        errorDetail: () => ERASED_DETAIL,
      },
    );
    await eraseParts(executor, ids);
    await executor.manager.insert(
      ImportProcessEventEntity,
      erasable.map(({ id: processId, version, attempt }) => ({
        processId,
        version,
        attempt,
        event: 'ERASED' as const,
        actor,
      })),
    );
    return erasable;
  }

  /**
   * Erases what the process of an account has of it. The external identifier stays, so that the account is refused under
   * another account number as well.
   */
  async eraseImported(executor: Executor, processId: string): Promise<void> {
    // A correction that is being accepted has ended then, so that the next statements see it.
    await executor.manager.findOne(ImportProcessEntity, {
      select: { id: true },
      where: { id: processId },
      lock: { mode: 'for_no_key_update' },
    });
    await executor.manager.update(ImportProcessEntity, { id: processId }, ERASED_PAYLOAD);
    await eraseParts(executor, [processId]);
  }

  /**
   * Finds processes that can be erased and were changed last before `changedBefore`, at most `limit`, and locks them.
   * Several workers share the work, and a process that is being changed is left for the next run.
   */
  async lockExpired(
    executor: Executor,
    supplierId: number,
    changedBefore: Date,
    limit: number,
  ): Promise<string[]> {
    const due = await executor.manager.find(ImportProcessEntity, {
      select: { id: true },
      where: {
        supplierId,
        status: In(ERASABLE),
        payloadHash: Not(NOTHING),
        modifiedAt: LessThan(changedBefore.toISOString()),
      },
      order: { modifiedAt: 'ASC' },
      take: limit,
      lock: { mode: 'for_no_key_update', onLocked: 'skip_locked' },
    });
    return due.map(({ id }) => id);
  }
}

/** The payload could be guessed with its digest, and warnings quote it. */
const ERASED_PAYLOAD = { payloadHash: NOTHING, payloadDigest: null, warnings: null };

/** Erases what other tables have of processes: payloads, corrections, and requests with their answers. */
async function eraseParts({ manager }: Executor, processIds: readonly string[]): Promise<void> {
  const ofProcesses = { processId: In(processIds) };
  await manager.delete(ImportProcessPayloadEntity, ofProcesses);
  // The paths of changes may have codes of the account. Corrections that wait are cancelled.
  await manager.update(ImportProcessCorrectionEntity, ofProcesses, {
    payload: () => 'NULL',
    changes: () => 'NULL',
    payloadDigest: null,
    status: () => `CASE status WHEN 'PENDING' THEN 'CANCELLED' ELSE status END`,
    endedAt: () => 'coalesce(ended_at, now())',
    errorDetail: () => ERASED_DETAIL,
  });
  await manager.delete(IdempotencyKeyEntity, ofProcesses);
  await manager.delete(AccountRequestEntity, ofProcesses);
}
