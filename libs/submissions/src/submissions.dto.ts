import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ADDITION_KINDS, type AdditionKind } from '@portage/accounts';
import {
  type AccountChange,
  AccountChangeView,
  type ImportProcessStatus,
  MAX_CHANGES,
  type Measure,
  MEASURES,
  type SubmissionLineError,
  WarningView,
} from '@portage/imports';
import { ADDITION_MEASURES, type AdditionMeasure } from './additions/addition-measures';
import type { AdditionResult } from './additions/submission-addition.entity';
import { LINE_OUTCOMES, type LineOutcome } from './line-outcome';
import {
  SUBMISSION_KINDS,
  SUBMISSION_MODES,
  SUBMISSION_STATUSES,
  type SubmissionKind,
  type SubmissionMode,
  type SubmissionStatus,
} from './submission';

const COUNT_OR_AMOUNT = { anyOf: [{ type: 'integer' }, { type: 'string' }] };

/** A number, or decimal text for opening balances. */
type MeasureValue = number | string;

/** A submission as the lists show it. */
@ApiSchema({ name: 'ListedSubmission' })
export class ListedSubmissionView {
  @ApiProperty()
  id: string;

  @ApiProperty()
  import_supplier: string;

  @ApiProperty({ description: "The supplier's own name for it." })
  reference: string;

  @ApiProperty({
    type: String,
    enum: [...SUBMISSION_KINDS],
    description:
      'What its lines have: accounts, or additions to imported accounts. The counts of a submission of additions are those of its lines.',
  })
  kind: SubmissionKind;

  @ApiProperty({ type: String, enum: [...SUBMISSION_MODES] })
  mode: SubmissionMode;

  @ApiProperty({
    type: String,
    enum: [...SUBMISSION_STATUSES],
    description:
      'RECEIVED: complete. AWAITING_RELEASE: complete, and accounts wait for the operator to release them after their dry run. FINISHED: complete, and every account has come to its end.',
  })
  status: SubmissionStatus;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  completed_at: string | null;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  finished_at: string | null;
}

/** What a rehearsal would do. */
@ApiSchema({ name: 'SubmissionPlan' })
export class SubmissionPlanView {
  @ApiProperty({ type: 'integer' })
  would_create: number;

  @ApiProperty({ type: 'integer' })
  would_correct: number;

  @ApiProperty({ type: 'integer' })
  unchanged: number;

  @ApiProperty({
    type: 'integer',
    description: 'Lines that were refused, and accounts whose rehearsal has failed.',
  })
  refused: number;
}

@ApiSchema({
  name: 'SubmissionCounts',
  description:
    '`received` is the sum of `refused`, `unchanged` and all states. `repeated` lines are not in it.',
})
export class SubmissionCountsView implements Record<Lowercase<ImportProcessStatus>, number> {
  @ApiProperty({ type: 'integer' })
  received: number;

  @ApiProperty({ type: 'integer' })
  refused: number;

  @ApiProperty({ type: 'integer' })
  repeated: number;

  @ApiProperty({ type: 'integer', description: 'Accounts that were imported before with the same content.' })
  unchanged: number;

  @ApiProperty({ type: 'integer', description: 'Accounts whose correction has not ended.' })
  correcting: number;

  @ApiProperty({ type: 'integer' })
  corrected: number;

  @ApiProperty({ type: 'integer', description: 'Of a rehearsal: accounts that would be corrected.' })
  would_correct: number;

  @ApiProperty({
    type: 'integer',
    description: 'Accounts that are as before, because their correction has failed.',
  })
  correction_errored: number;

  @ApiProperty({ type: 'integer' })
  pending: number;

  @ApiProperty({ type: 'integer' })
  in_progress: number;

  @ApiProperty({ type: 'integer' })
  dry_run_succeeded: number;

  @ApiProperty({ type: 'integer' })
  dry_run_errored: number;

  @ApiProperty({ type: 'integer' })
  cancelled: number;

  @ApiProperty({ type: 'integer' })
  processed: number;

  @ApiProperty({ type: 'integer' })
  errored: number;
}

/** A submission with its counts. */
@ApiSchema({ name: 'Submission' })
export class SubmissionView extends ListedSubmissionView {
  @ApiProperty()
  counts: SubmissionCountsView;

  @ApiProperty({
    type: SubmissionPlanView,
    nullable: true,
    description: 'Of a rehearsal (`is_dry_run`): what the submission would do. Null otherwise.',
  })
  plan: SubmissionPlanView | null;

  @ApiProperty({
    type: 'integer',
    description: 'Accounts with warnings, of those that were imported or rehearsed.',
  })
  accounts_with_warnings: number;

  @ApiProperty({
    type: String,
    isArray: true,
    description:
      'Lists of codes that the operator has not set up (`reference_data` of the supplier has the others). Codes of these are not checked: they may be refused later.',
  })
  unchecked_lists: readonly string[];

  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      'Accounts that come to their end: of the last ten seconds while accounts wait, the mean after the end of the submission. Null while it is open and no account waits.',
  })
  accounts_per_second: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Null while it is not known.',
  })
  estimated_end: string | null;
}

/** A submission that was aborted. */
export class AbortedSubmission {
  @ApiProperty({ type: 'integer', description: 'Accounts that this request has cancelled.' })
  cancelled: number;

  @ApiProperty()
  submission: SubmissionView;
}

/** The result of an upload. */
@ApiSchema({ name: 'Upload' })
export class UploadResult {
  @ApiProperty({ type: 'integer', description: 'Lines that were read, without blank ones.' })
  lines: number;

  @ApiProperty({ type: 'integer' })
  accepted: number;

  @ApiProperty({ type: 'integer' })
  refused: number;

  @ApiProperty({
    type: 'integer',
    description: 'Lines whose account the submission had with the same content.',
  })
  repeated: number;

  @ApiProperty({
    type: 'integer',
    description: 'Lines whose account was imported before with the same content.',
  })
  unchanged: number;

  @ApiProperty({
    type: 'integer',
    description: 'Lines whose account was imported before, and is to be corrected.',
  })
  corrections: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description:
      'Values in fields that the contract does not have, counted by path. They are stored without effect. `*` stands for positions in lists; `(other fields)` counts the paths beyond 500.',
  })
  ignored_fields: Record<string, number>;
}

/** An error of a line. */
@ApiSchema({ name: 'LineError' })
export class LineErrorView implements SubmissionLineError {
  @ApiProperty({ description: 'Machine-readable. It does not change.' })
  code: string;

  @ApiProperty({ description: 'For people. The wording can change.' })
  detail: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Dotted path of the field; null if the error is about the line or the account as a whole.',
  })
  attr: string | null;
}

/** The place of a line in a submission. */
@ApiSchema({ name: 'LinePosition' })
export class LinePositionView {
  @ApiProperty({ type: 'integer', description: 'The number of the upload, counted from 1.' })
  upload: number;

  @ApiProperty({ type: 'integer', description: 'The number of the line in its upload, counted from 1.' })
  line: number;
}

/** What was done of an addition, in items: notes, transactions or statements. */
@ApiSchema({ name: 'AdditionResult' })
export class AdditionResultView implements AdditionResult {
  @ApiProperty({ type: 'integer', description: 'Items that are new.' })
  added: number;

  @ApiProperty({ type: 'integer', description: 'Items that the account had already.' })
  existing: number;

  @ApiProperty({
    type: 'integer',
    description:
      'Of the existing ones, those that the account has with other content. They stay as they are.',
  })
  different: number;

  @ApiProperty({
    type: 'integer',
    description: 'Transactions whose date was moved into the open statement period.',
  })
  moved: number;
}

/** What became of one line of a submission. */
export class SubmissionResult extends LinePositionView {
  @ApiProperty({ type: String, nullable: true, description: 'Null if it could not be read.' })
  external_account_number: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    enum: ['account', ...ADDITION_KINDS, null],
    description: 'What the line has: an account, or a kind of addition. Null if it could not be read.',
  })
  kind: 'account' | AdditionKind | null;

  @ApiProperty({ type: String, enum: [...LINE_OUTCOMES] })
  outcome: LineOutcome;

  @ApiProperty({
    type: AdditionResultView,
    nullable: true,
    description: 'Of an addition that was performed or rehearsed; null for others.',
  })
  addition: AdditionResultView | null;

  @ApiProperty({ type: String, nullable: true, description: 'Set with the outcome `processed`.' })
  platform_account_number: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'SHA-256 of the account that was sent, in the form of the header `Payload-Digest`. Null if the line could not be read, or the payload was erased.',
  })
  payload_digest: string | null;

  @ApiProperty({
    type: LinePositionView,
    nullable: true,
    description:
      'Null in the one row that counts for an account. In the row of a further line about the account, which was refused or repeats it: the row that counts.',
  })
  duplicate_of: LinePositionView | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Documents that the statements and notes of the account name. Null for a line that repeats another one.',
  })
  documents_named: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Documents of the imported account that are not in the document store yet. Null while the account is not imported.',
  })
  documents_missing: number | null;

  @ApiProperty({ type: [LineErrorView] })
  errors: SubmissionLineError[];

  @ApiProperty({
    type: [AccountChangeView],
    description: `Of a correction: what differs from the account as it was sent before, at most ${MAX_CHANGES}. Empty where that is not known, because a payload was erased.`,
  })
  changes: AccountChange[];

  @ApiProperty({ type: 'integer', description: 'The number of all changes.' })
  change_count: number;

  @ApiProperty({
    type: [WarningView],
    description: 'What is implausible in an account that was imported or rehearsed.',
  })
  warnings: WarningView[];
}

/** One measure of a reconciliation. A value is a number, or for opening balances decimal text with two decimals. */
@ApiSchema({ name: 'ReconciledMeasure' })
export class ReconciledMeasureView {
  @ApiProperty({
    type: String,
    enum: [...new Set([...MEASURES, ...ADDITION_MEASURES])],
    description: 'Those of accounts, or those of additions.',
  })
  measure: Measure | AdditionMeasure;

  @ApiPropertyOptional({ description: 'ISO 4217, of a measure that is an amount of money.' })
  currency?: string;

  @ApiPropertyOptional({
    type: String,
    enum: ['minor'],
    description: 'With `statement_total`: it is in the lowest denomination of the currency, such as pence.',
  })
  unit?: 'minor';

  @ApiProperty({
    anyOf: [{ type: 'integer' }, { type: 'string' }, { type: 'null' }],
    description: 'As stated when it was opened.',
  })
  expected: MeasureValue | null;

  @ApiProperty({ ...COUNT_OR_AMOUNT, description: 'Of all lines, as they were sent.' })
  received: MeasureValue;

  @ApiProperty({
    ...COUNT_OR_AMOUNT,
    description: 'Of what the imports have written, as it is stored now.',
  })
  imported: MeasureValue;

  @ApiProperty({
    ...COUNT_OR_AMOUNT,
    description:
      'Of a rehearsal (`is_dry_run`): of the lines whose account would be imported, as they were sent. 0 otherwise.',
  })
  would_be_imported: MeasureValue;

  @ApiProperty({
    ...COUNT_OR_AMOUNT,
    description: 'Of lines that were refused, or whose import has ended in an error or was cancelled.',
  })
  refused_or_errored: MeasureValue;

  @ApiProperty({
    ...COUNT_OR_AMOUNT,
    description: 'Of accounts whose data was erased after their import.',
  })
  erased: MeasureValue;

  @ApiProperty({
    ...COUNT_OR_AMOUNT,
    description:
      'Of accounts that another submission, or a request by itself, has corrected since: as this one has sent them.',
  })
  corrected_since: MeasureValue;

  @ApiProperty({
    ...COUNT_OR_AMOUNT,
    description:
      '`imported + would_be_imported + erased + corrected_since - expected`; where nothing is expected, `received - refused_or_errored` takes its place.',
  })
  difference: MeasureValue;

  @ApiPropertyOptional({
    type: 'integer',
    description:
      'With `documents`: of the imported ones, those that are not in the document store yet. They are looked for, and are no difference.',
  })
  missing?: number;
}

/** What a supplier expected, against what was received and imported. */
@ApiSchema({ name: 'Reconciliation' })
export class SubmissionReconciliation {
  @ApiProperty()
  id: string;

  @ApiProperty()
  import_supplier: string;

  @ApiProperty()
  reference: string;

  @ApiProperty({
    description:
      'True for a rehearsal, of which nothing is imported: it is compared by what would be imported.',
  })
  is_dry_run: boolean;

  @ApiProperty({ format: 'date-time', description: 'The moment of all figures.' })
  counted_at: string;

  @ApiProperty({ type: 'integer', description: 'Accounts whose import has not ended.' })
  unfinished: number;

  @ApiProperty({ type: 'integer', description: 'Accounts that had a dry run only, and are not imported.' })
  dry_run_succeeded: number;

  @ApiProperty({
    type: 'integer',
    description: 'Accounts that it has created, and that are as it has sent them.',
  })
  created: number;

  @ApiProperty({
    type: 'integer',
    description: 'Accounts that it has corrected, and that are as it has sent them.',
  })
  corrected: number;

  @ApiProperty({
    type: 'integer',
    description: 'Accounts that were imported before with the same content, and still have it.',
  })
  unchanged: number;

  @ApiProperty({
    type: 'integer',
    description: 'Accounts that another submission, or a request by itself, has corrected since.',
  })
  corrected_since: number;

  @ApiProperty({
    type: 'integer',
    description: 'Accounts that were taken back, or rolled back in another submission.',
  })
  taken_back: number;

  @ApiProperty({ type: 'integer', description: 'Accounts that were erased after their import.' })
  erased: number;

  @ApiProperty({
    description:
      'True if every difference is zero, as much is imported as was received and not refused, and no account is unfinished. Of a rehearsal: as much would be imported.',
  })
  reconciled: boolean;

  @ApiProperty({ type: [ReconciledMeasureView] })
  measures: ReconciledMeasureView[];
}
