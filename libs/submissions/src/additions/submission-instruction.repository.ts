import { Injectable } from '@nestjs/common';
import { AccountRequestEntity, type InstructionOutcome } from '@portage/accounts';
import { Database, type Executor, type Statement } from '@portage/platform';
import { In } from 'typeorm';
import { SubmissionAdditionEntity } from './submission-addition.entity';
import { type EndedAddition, SubmissionAdditionRepository } from './submission-addition.repository';

/** A payment instruction whose request has ended. */
interface VerifiedInstruction {
  id: string;
  submissionId: string;
  attempt: number;
  isDryRun: boolean;
  isAborted: boolean;
  outcome: InstructionOutcome;
}

/** The request that verifies a payment instruction of a submission. */
export interface SubmittedInstruction {
  submissionId: string;
  requestId: string;
}

const start: Statement = {
  name: 'start-instructions-of-submission',
  text: `
    WITH started AS (
      SELECT addition.id, account_id, nextval(pg_get_serial_sequence('account_request', 'id')) AS request_id, input,
        fingerprint
      FROM ROWS FROM (unnest($1::bigint[]), unnest($2::bigint[]), json_array_elements($3::json), unnest($5::bytea[]))
        AS addition (id, account_id, input, fingerprint)
    ), requested AS (
      INSERT INTO account_request (id, organisation_id, account_id, kind, fingerprint, is_keyed, input, actor)
      OVERRIDING SYSTEM VALUE
      SELECT started.request_id, $4::integer, account_id, 'payment-instruction', fingerprint, true, started.input, upload.actor
      FROM started JOIN submission_addition addition USING (id)
      JOIN submission_upload upload ON upload.submission_id = addition.submission_id AND upload.number = addition.upload_number
    )
    UPDATE submission_addition addition SET status = 'IN_PROGRESS', request_id = started.request_id,
      attempt = addition.attempt + 1
    FROM started WHERE addition.id = started.id
    RETURNING addition.request_id, addition.external_account_number`,
};

/** The end of a payment instruction by the outcome of its request. */
function toEnded({ id, isDryRun, outcome }: VerifiedInstruction): EndedAddition {
  if (outcome.kind === 'stored') {
    const result = isDryRun ? null : { added: 1, existing: 0, different: 0, moved: 0 };
    return { id, status: isDryRun ? 'DRY_RUN_SUCCEEDED' : 'PROCESSED', result, errors: null };
  }
  const code = 'code' in outcome ? outcome.code : 'error';
  const errors = [{ attr: null, code, detail: code }];
  return { id, status: isDryRun ? 'DRY_RUN_ERRORED' : 'ERRORED', result: null, errors };
}

async function retryLater(
  { manager }: Executor,
  instructions: readonly VerifiedInstruction[],
): Promise<void> {
  if (instructions.length === 0) return;
  await manager.update(
    SubmissionAdditionEntity,
    { id: In(instructions.map(({ id }) => id)) },
    {
      status: 'PENDING',
      requestId: null,
      dueAt: () => `now() + least(2 ^ attempt, 600) * interval '1 second'`,
    },
  );
}

/** The payment instructions of submissions, which wait for their vendors. */
@Injectable()
export class SubmissionInstructionRepository {
  constructor(
    private readonly database: Database,
    private readonly additions: SubmissionAdditionRepository,
  ) {}

  /** The accounts whose payment instructions of a submission are with their vendors. */
  async inProgress({ manager }: Executor, submissionId: string): Promise<string[]> {
    const found = await manager.find(SubmissionAdditionEntity, {
      select: { id: true, externalAccountNumber: true },
      where: { submissionId, status: 'IN_PROGRESS' },
    });
    return found.flatMap(({ externalAccountNumber }) => externalAccountNumber ?? []);
  }

  /** Those of the accounts that have a payment instruction whose next attempt is not due. */
  async waitingForRetry(
    { manager }: Executor,
    submissionId: string,
    accountNumbers: readonly string[],
  ): Promise<string[]> {
    const found = await manager
      .createQueryBuilder(SubmissionAdditionEntity, 'addition')
      .select(['addition.id', 'addition.externalAccountNumber'])
      .where({ submissionId, externalAccountNumber: In(accountNumbers) })
      .andWhere(`addition.status = 'PENDING' AND addition.attempt > 0 AND addition.dueAt > now()`)
      .getMany();
    return found.flatMap(({ externalAccountNumber }) => externalAccountNumber ?? []);
  }

  /** Stores the requests that verify payment instructions. */
  async start(
    executor: Executor,
    organisationId: number,
    instructions: readonly { id: string; accountId: string; input: unknown; fingerprint: Buffer }[],
  ): Promise<{ requestId: string; externalAccountNumber: string }[]> {
    return executor.run<{ requestId: string; externalAccountNumber: string }>(start, [
      instructions.map(({ id }) => id),
      instructions.map(({ accountId }) => accountId),
      JSON.stringify(instructions.map(({ input }) => input)),
      organisationId,
      instructions.map(({ fingerprint }) => fingerprint),
    ]);
  }

  /**
   * Ends the payment instructions whose requests have ended. One whose vendor was unavailable is tried again later.
   *
   * @param request undefined: all
   * @param maxAttempts how often an instruction is sent to a vendor that is unavailable
   * @returns the submissions that had one
   */
  async conclude(request: SubmittedInstruction | undefined, maxAttempts: number): Promise<string[]> {
    return this.database.transaction(async (executor) => {
      const verified = await executor.manager
        .createQueryBuilder(SubmissionAdditionEntity, 'addition')
        .innerJoin(
          AccountRequestEntity,
          'request',
          `request.id = addition.requestId AND request.status = 'DONE'`,
        )
        .innerJoin('addition.upload', 'upload')
        .innerJoin('upload.submission', 'submission')
        .select('addition.id', 'id')
        .addSelect('addition.submissionId', 'submissionId')
        .addSelect('addition.attempt', 'attempt')
        .addSelect('submission.isDryRun', 'isDryRun')
        .addSelect(`submission.status = 'ABORTED'`, 'isAborted')
        .addSelect('request.outcome', 'outcome')
        .where({ status: 'IN_PROGRESS', ...request })
        .orderBy('addition.id')
        .setLock('pessimistic_write', undefined, ['addition'])
        .getRawMany<VerifiedInstruction>();
      const isRetried = ({ attempt, isAborted, outcome }: VerifiedInstruction) =>
        outcome.kind === 'unavailable' && attempt < maxAttempts && !isAborted;
      await this.additions.end(executor, verified.filter((one) => !isRetried(one)).map(toEnded));
      await retryLater(executor, verified.filter(isRetried));
      return [...new Set(verified.map(({ submissionId }) => submissionId))];
    });
  }
}
