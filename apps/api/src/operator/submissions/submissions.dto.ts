import type { Page } from '@portage/operators';
import { RefusedLineView, SubmissionDetailView, SubmissionSummaryView } from '@portage/operators';
import {
  type LeftAccount,
  LINE_OUTCOMES,
  type LineOutcome,
  SUBMISSION_KINDS,
  type SubmissionKind,
} from '@portage/submissions';
import {
  ChoiceField,
  ChoicesField,
  ConfirmationField,
  FlagField,
  IdField,
  TextField,
} from '../../http/fields';
import { PageQuery } from '../page-query.dto';

/** The reasons for which a rollback leaves an account. */
export const LEFT_REASONS = ['has_requests', 'corrected', 'welcome_email_sent', 'erased', 'missing'] as const;

/** A page of submissions. */
export type SubmissionPage = Page<SubmissionSummaryView>;

/** The query of the list of submissions. */
export class SubmissionsQuery extends PageQuery {
  @TextField({ max: 128, description: 'Only submissions of this supplier.' })
  supplier?: string;

  @ChoiceField(SUBMISSION_KINDS, { description: 'Only submissions of this kind.' })
  kind?: SubmissionKind;
}

/** The query of the list of refused lines. */
export class RefusedLinesQuery extends PageQuery {
  @TextField({ max: 128, description: 'Only lines with an error of this code.' })
  error_code?: string;

  @TextField({
    max: 512,
    description: 'Only lines with an error at this path. With `error_code`, an error that has both.',
  })
  path?: string;

  @IdField({ description: 'Only lines of this submission, by its id.' })
  submission?: string;

  @TextField({ max: 128, description: 'Only lines whose external account number begins with this text.' })
  text?: string;
}

/** A page of refused lines. */
export type RefusedLinePage = Page<RefusedLineView>;

/** The query of the results of a submission. */
export class ResultsFileQuery {
  @ChoiceField(['csv', 'ndjson'], { default: 'csv', description: 'Form of the file.' })
  format: 'csv' | 'ndjson';

  @ChoicesField(LINE_OUTCOMES, {
    description: 'Only accounts with this outcome. May be repeated. By default all are listed.',
  })
  outcome?: LineOutcome[];
}

/** The confirmation of an abortion. */
export class AbortRequest {
  @ConfirmationField('The id of the submission, as the operator typed it.')
  confirm?: string;
}

/** The body of a rollback. */
export class RollbackRequest {
  @FlagField({ required: true, description: 'True: only finds out what would be deleted.' })
  dry_run: boolean;

  @TextField({ description: 'The id of the submission, as the operator typed it. Not needed for a dry run.' })
  confirm?: string;

  @IdField({ description: '`next_cursor` of the call before. Absent in the first call.' })
  cursor?: string;
}

/** What one call of an abortion has done. */
export interface AbortResult {
  /** Accounts that this call has cancelled. */
  cancelled: number;
  /** True if accounts are left that have not begun. Call again. */
  remaining: boolean;
  submission: SubmissionDetailView;
}

/** An account that a rollback has left alone. */
export interface LeftAccountView {
  external_account_number: string;
  platform_account_number: string;
  reason: LeftAccount['reason'];
}

/** What one call of a rollback has done. */
export interface RollbackResult {
  dry_run: boolean;
  /** Accounts that the rollback considers in all, at the time of this call. */
  total: number;
  /** Accounts that this call has considered. */
  considered: number;
  /** Accounts that this call has deleted, or with a dry run those that would be. */
  rolled_back: number;
  /** Accounts that this call has left alone, by reason: ${LEFT_REASONS.join(', ')}. */
  left: Record<string, number>;
  /** The accounts of `left`. */
  left_accounts: LeftAccountView[];
  /** True if accounts were not considered yet. Call again with `next_cursor`. */
  remaining: boolean;
  next_cursor: string | null;
}
