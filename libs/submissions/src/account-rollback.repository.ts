import { Injectable } from '@nestjs/common';
import { AccountEntity } from '@portage/accounts';
import { ImportProcessEntity, type ImportProcessStatus } from '@portage/imports';
import { Database, type Executor, translateErrors } from '@portage/platform';
import { In, MoreThan } from 'typeorm';

/** An account that a submission has created. */
interface SubmittedAccount {
  /** Null if the row of the account is missing, because the table was damaged. */
  id: string | null;
  processId: string;
  number: string;
  externalAccountNumber: string;
}

/** Lists the accounts that a submission has created. */
@Injectable()
export class AccountRollbackRepository {
  constructor(private readonly database: Database) {}

  /** Counts the processes of a submission that have one of these statuses. */
  async count(submissionId: string, ...statuses: ImportProcessStatus[]): Promise<number> {
    return translateErrors(
      this.database.manager.countBy(ImportProcessEntity, { submissionId, status: In(statuses) }),
    );
  }

  /**
   * The next accounts of a submission, in the order in which their processes were created.
   *
   * @param after the id of a process, `0` to begin
   */
  async page(
    executor: Executor,
    submissionId: string,
    after: string,
    rows: number,
  ): Promise<SubmittedAccount[]> {
    const processes = await executor.manager.find(ImportProcessEntity, {
      select: { id: true, accountNumber: true, externalAccountNumber: true },
      where: { submissionId, status: 'PROCESSED', id: MoreThan(after) },
      order: { id: 'ASC' },
      take: rows,
    });
    const accounts = await executor.manager.find(AccountEntity, {
      select: { id: true, processId: true },
      where: { processId: In(processes.map(({ id }) => id)) },
    });
    const ids = new Map(accounts.map(({ id, processId }) => [processId, id]));
    return processes.map(({ id: processId, accountNumber, externalAccountNumber }) => ({
      id: ids.get(processId) ?? null,
      processId,
      number: accountNumber as string,
      externalAccountNumber,
    }));
  }
}
