import { Injectable } from '@nestjs/common';
import {
  type AccountLine,
  type RefusedLine,
  type StoredBatch,
  type StoredLine,
  type StoredSubmission,
  SubmissionLineRepository,
  type UploadKey,
} from '@portage/database';
import { ACTIVE_STATUSES, PortageError, type SubmissionLineError } from '@portage/domain';
import type { DatabaseRules } from '../account/database-rules';
import { IDENTIFIER_TAKEN_DETAIL, IN_PROGRESS_DETAIL } from '../account/scheduled-imports';
import { SubmissionJobs } from './submission-jobs';
import { submissionNotOpen } from './submission-not-open';
import { lineError, refuseLine } from './read-line';

/** A valid account of an upload, with the rules that depend on stored accounts. */
export interface ValidLine {
  account: AccountLine;
  rules: DatabaseRules;
  payload: Record<string, unknown>;
}

/** Lines of an upload that are stored together. No two have the same account number or external identifier. */
export interface UploadBatch {
  valid: ValidLine[];
  refused: RefusedLine[];
}

/** How often a batch is stored again because of other requests for the same accounts. */
const MAX_ROUNDS = 5;

const UNIQUE_VIOLATION = '23505';

/** Stores batches of lines, and adds their jobs. */
@Injectable()
export class StoreLines {
  constructor(
    private readonly lines: SubmissionLineRepository,
    private readonly jobs: SubmissionJobs,
  ) {}

  /**
   * Stores a batch: one statement, and another one for lines that it did not store: because their accounts exist, or
   * break a rule that depends on stored accounts. When it returns, each line is stored as accepted, repeated or refused.
   *
   * @throws PortageError `submission_not_open`, with the lines that were stored before that
   */
  async store(
    submission: StoredSubmission,
    upload: UploadKey,
    actor: string,
    batch: UploadBatch,
  ): Promise<void> {
    let { valid, refused } = batch;
    for (let round = 1; valid.length > 0 || refused.length > 0; round += 1) {
      if (round > MAX_ROUNDS)
        throw new PortageError('unavailable', 'Other requests sent the same accounts. Send the file again.');
      const sent = valid;
      const { batchId, results } = await this.storeOnce(submission, upload, actor, sent, refused);
      [valid, refused] = [[], []];
      const accepted: Parameters<SubmissionJobs['add']>[2] = [];
      for (const [index, result] of results.entries()) {
        const line = sent[index] as ValidLine;
        const { externalAccountNumber } = line.account;
        if (result.kind === 'accepted') accepted.push({ ...result.version, externalAccountNumber });
        else if (result.kind !== 'repeated') {
          const errors = await errorsOf(line, result);
          if (errors.length > 0) refused.push(refuse(line, errors));
          else valid.push(result.kind === 'findings' ? withoutPreconditions(line) : line);
        }
      }
      await this.jobs.add(submission, batchId, accepted);
    }
  }

  private async storeOnce(
    submission: StoredSubmission,
    upload: UploadKey,
    actor: string,
    valid: readonly ValidLine[],
    refused: readonly RefusedLine[],
  ): Promise<StoredBatch> {
    const accounts = valid.map(({ account }) => account);
    try {
      const stored = await this.lines.storeBatch({ upload, actor, accounts, refused });
      if (!stored) throw submissionNotOpen({ ...submission, status: 'RECEIVED' });
      return stored;
    } catch (error) {
      // A concurrent request has taken an external identifier. Stored again, the statement sees it.
      if (!(error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION)) throw error;
      return { batchId: '', results: valid.map(() => ({ kind: 'conflict' })) };
    }
  }
}

/** Why a line that was not stored is refused; empty if it can be stored again. */
async function errorsOf(
  { rules }: ValidLine,
  result: Exclude<StoredLine, { kind: 'accepted' | 'repeated' }>,
): Promise<SubmissionLineError[]> {
  const attr = 'external_account_number';
  switch (result.kind) {
    case 'conflict':
      return [];
    case 'findings':
      return rules.evaluateFindings(result.findings);
    case 'identifier-taken':
      return [
        {
          code: 'external_identifier_already_exists',
          detail: IDENTIFIER_TAKEN_DETAIL,
          attr: 'external_identifier',
        },
      ];
    case 'kept': {
      const { status, accountNumber, submissionId, hasSamePayload } = result;
      const content = hasSamePayload === null ? '' : ` with ${hasSamePayload ? 'the same' : 'other'} content`;
      const where = `${submissionId === null ? 'by itself' : `in submission ${submissionId}`}${content}`;
      if (accountNumber !== null)
        return [
          {
            code: 'account_import_process_already_imported',
            detail: `This account was sent ${where} and has been imported, as ${accountNumber}.`,
            attr,
          },
        ];
      return status === 'PENDING' || !ACTIVE_STATUSES.includes(status)
        ? [{ ...lineError('account_already_received', `This account was sent ${where} before.`), attr }]
        : [
            {
              code: 'import_process_in_progress',
              detail: `${IN_PROGRESS_DETAIL} It was sent ${where}.`,
              attr,
            },
          ];
    }
  }
}

function refuse({ account, payload }: ValidLine, errors: readonly SubmissionLineError[]): RefusedLine {
  return refuseLine(account.line, payload, account.payloadDigest, errors);
}

function withoutPreconditions(line: ValidLine): ValidLine {
  return { ...line, account: { ...line.account, preconditions: [] } };
}
