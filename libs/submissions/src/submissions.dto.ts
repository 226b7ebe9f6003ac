import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { ImportProcessStatus } from '@portage/imports';
import {
  SUBMISSION_KINDS,
  SUBMISSION_MODES,
  SUBMISSION_STATUSES,
  type SubmissionKind,
  type SubmissionMode,
  type SubmissionStatus,
} from './submission';

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
