import { Injectable } from '@nestjs/common';
import { type ErasedProcess, keyOfAccount, keyOfImported } from '@portage/imports';
import type { Executor } from '@portage/platform';
import { In } from 'typeorm';
import { SubmissionAdditionEntity } from '../additions/submission-addition.entity';
import { SubmissionLineEntity } from '../submission-line.entity';

const ERASED_ERRORS = `json_build_array(json_build_object('code', 'erased', 'detail',
  'The details were erased with the account data.', 'attr', NULL))`;

/** Erases what submissions have of accounts and of processes without one. */
@Injectable()
export class SubmissionErasureRepository {
  /**
   * Erases errors and digests of lines without a process, whose errors may quote the account, and the additions. Additions
   * that wait are cancelled.
   *
   * @param erased of one supplier
   */
  async erase(executor: Executor, erased: readonly ErasedProcess[]): Promise<void> {
    const [first] = erased;
    if (!first) return;
    const { supplierId } = first;
    const numbers = erased.map(({ externalAccountNumber }) => externalAccountNumber);
    await executor.manager
      .createQueryBuilder()
      .update(SubmissionLineEntity)
      .set({
        payloadDigest: null,
        errors: () => `CASE WHEN imported_process_id IS NULL THEN ${ERASED_ERRORS} END`,
      })
      .where({ refusedKey: In(numbers.flatMap((number) => [keyOfAccount(number), keyOfImported(number)])) })
      .andWhere('submission_id IN (SELECT id FROM submission WHERE supplier_id = :supplierId)', {
        supplierId,
      })
      .execute();
    const isWaiting = `status IN ('PENDING', 'IN_PROGRESS')`;
    await executor.manager.update(
      SubmissionAdditionEntity,
      { supplierId, externalAccountNumber: In(numbers) },
      {
        input: () => 'NULL',
        digest: () => `sha256(convert_to(id::text, 'UTF8'))`,
        status: () => `CASE WHEN ${isWaiting} THEN 'CANCELLED' ELSE status END`,
        requestId: null,
        endedAt: () => 'coalesce(ended_at, now())',
        errors: () => `CASE WHEN errors IS NOT NULL OR ${isWaiting} THEN ${ERASED_ERRORS} END`,
      },
    );
  }
}
