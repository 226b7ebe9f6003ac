import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Statement } from '@portage/platform';

/** An account that a submission has created. */
export interface SubmittedAccount {
  id: string;
  processId: string;
  number: string;
  externalAccountNumber: string;
}

/** The number of accounts of a submission, and of its processes that have not ended. */
export interface RollbackCounts {
  accounts: number;
  unfinished: number;
}

/** The processes of a submission that have an account. The row of the account is missing if the table was damaged. */
interface ProcessedRow extends Omit<SubmittedAccount, 'id'> {
  id: string | null;
}

const count: Statement = {
  name: 'count-accounts-to-roll-back',
  text: `
    SELECT count(*) FILTER (WHERE status = 'PROCESSED')::float8 AS accounts,
      count(*) FILTER (WHERE status <> 'PROCESSED')::float8 AS unfinished
    FROM import_process
    WHERE submission_id = $1 AND status = ANY('{PROCESSED,PENDING,IN_PROGRESS}')`,
};

const page: Statement = {
  name: 'accounts-to-roll-back',
  text: `
    SELECT account.id, process.id AS process_id, process.account_number AS number,
      process.external_account_number
    FROM (
      SELECT id, account_number, external_account_number FROM import_process
      WHERE submission_id = $1 AND status = 'PROCESSED' AND id > $2::bigint
      ORDER BY id LIMIT $3
    ) process
    LEFT JOIN LATERAL (SELECT id FROM account WHERE process_id = process.id OFFSET 0) account ON true
    ORDER BY process.id`,
};

/** Lists the accounts that a submission has created. */
@Injectable()
export class AccountRollbackRepository {
  constructor(private readonly database: Database) {}

  /** Counts the accounts of a submission, and its unfinished processes. */
  async count(submissionId: string): Promise<RollbackCounts> {
    const [counts] = await this.database.run<RollbackCounts>(count, [submissionId]);
    return counts ?? { accounts: 0, unfinished: 0 };
  }

  /**
   * The next accounts of a submission, in the order in which their processes were created.
   *
   * @param after the id of a process, `0` to begin
   */
  async page(executor: Executor, submissionId: string, after: string, rows: number): Promise<ProcessedRow[]> {
    return executor.run<ProcessedRow>(page, [submissionId, after, rows]);
  }
}
