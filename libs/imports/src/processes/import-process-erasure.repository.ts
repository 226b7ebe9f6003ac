import { Injectable } from '@nestjs/common';
import { buildErasedAdditions, buildErasedLines, ERASED_CORRECTION } from '@portage/accounts';
import { anyOf, Database, type Executor, type Statement } from '@portage/platform';
import { LessThan } from 'typeorm';
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

/** The statuses of the partial index `import_process_payload_kept`. */
const ERASABLE = `('DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'CANCELLED', 'ERRORED')`;

const erase: Statement = {
  name: 'erase-import-processes',
  // The concatenation prevents a scan of that index.
  text: `
    WITH erased AS (
      UPDATE import_process process SET payload_hash = '', payload_digest = NULL, warnings = NULL, error_fields = NULL,
        external_identifier = CASE WHEN external_identifier = external_account_number THEN external_identifier END,
        error_detail = CASE WHEN error_code IS NOT NULL THEN 'The details were erased with the account data.' END
      WHERE process.id = ${anyOf('$2::bigint[]')} AND process.status || '' IN ${ERASABLE} AND payload_hash <> ''
      RETURNING process.id, process.version, process.attempt, process.supplier_id, process.external_account_number
    ), ${buildErasedLines('erased')}, ${buildErasedAdditions('erased')}, payloads AS (
      DELETE FROM import_process_payload payload USING erased WHERE payload.process_id = erased.id
    ), corrections AS (
      UPDATE import_process_correction correction SET ${ERASED_CORRECTION} FROM erased WHERE correction.process_id = erased.id
    ), answers AS (
      DELETE FROM idempotency_key answer USING erased WHERE answer.process_id = erased.id
    ), requests AS (
      DELETE FROM account_request request USING erased WHERE request.process_id = erased.id
    ), recorded AS (
      INSERT INTO import_process_event (process_id, version, attempt, event, actor)
      SELECT id, version, attempt, 'ERASED', $1 FROM erased
    )
    SELECT id FROM erased`,
};

/**
 * Erases the personal data of finished processes that have no account: payload, external identifier, error detail,
 * warnings and requests about it with their answers. The external account number, the status and the events stay, and
 * an external identifier that is the account number.
 */
@Injectable()
export class ImportProcessErasureRepository {
  constructor(private readonly database: Database) {}

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
   * Erases a locked process and records the event ERASED.
   *
   * @returns false if its status does not allow it, or it was erased before
   */
  async erase(executor: Executor, processId: string, actor: string): Promise<boolean> {
    return (await executor.run(erase, [actor, [processId]])).length > 0;
  }

  /**
   * Erases processes that were changed last before `changedBefore`, at most `limit`.
   *
   * @returns the number of erased processes
   */
  async eraseExpired(supplierId: number, changedBefore: Date, limit: number): Promise<number> {
    return this.database.transaction(async (executor) => {
      // Several workers share the work, and a process that is being changed is left for the next run.
      const due = await executor.manager
        .createQueryBuilder(ImportProcessEntity, 'process')
        .select('process.id')
        .where(`process.status IN ${ERASABLE} AND process.payloadHash <> ''`)
        .andWhere({ supplierId, modifiedAt: LessThan(changedBefore.toISOString()) })
        .orderBy('process.modifiedAt')
        .limit(limit)
        .setLock('for_no_key_update')
        .setOnLocked('skip_locked')
        .getMany();
      return (await executor.run(erase, [null, due.map(({ id }) => id)])).length;
    });
  }
}
