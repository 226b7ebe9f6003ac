import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  CORRECTION_STATUSES,
  type CorrectionStatus,
  IMPORT_PROCESS_EVENTS,
  IMPORT_PROCESS_STATUSES,
  type ImportProcessEvent,
  type ImportProcessStatus,
  WarningView,
} from '@portage/imports';

/** A process in a list. */
@ApiSchema({ name: 'ProcessSummary' })
export class ProcessSummaryView {
  @ApiProperty()
  id: string;

  @ApiProperty()
  external_account_number: string;

  @ApiProperty({ type: String, enum: [...IMPORT_PROCESS_STATUSES] })
  status: ImportProcessStatus;

  @ApiProperty({ nullable: true, type: String })
  error_code: string | null;

  @ApiProperty({ nullable: true, type: String, description: "The platform's number of the created account." })
  platform_account_number: string | null;

  @ApiProperty({ nullable: true, type: String })
  submission_id: string | null;

  @ApiProperty({ type: 'integer' })
  version: number;

  @ApiProperty({ format: 'date-time', description: 'When the account was received for the first time.' })
  received_at: string;

  @ApiProperty({ format: 'date-time' })
  updated_at: string;
}

/** One event of the history of a process. */
@ApiSchema({ name: 'TimelineEntry' })
export class TimelineEntryView {
  @ApiProperty({ type: String, enum: [...IMPORT_PROCESS_EVENTS] })
  event: ImportProcessEvent;

  @ApiProperty({ type: 'integer' })
  version: number;

  @ApiProperty({ type: 'integer' })
  attempt: number;

  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty({
    nullable: true,
    type: String,
    description: 'Who caused it: `api-key:<prefix>` or `operator:<name>`; null for workers.',
  })
  actor: string | null;

  @ApiProperty({
    nullable: true,
    type: Number,
    description: 'Time since the entry before; null for the first one.',
  })
  duration_ms: number | null;

  @ApiProperty({ nullable: true, type: String })
  error_code: string | null;
}

/** Why a process ended with an error. */
@ApiSchema({ name: 'ProcessFailure' })
export class ProcessFailureView {
  @ApiProperty()
  code: string;

  @ApiProperty({ description: 'What it quotes of the account is masked.' })
  detail: string;

  @ApiProperty({
    nullable: true,
    type: String,
    description: 'Dotted path of the field in the payload, if the error names one.',
  })
  path: string | null;

  @ApiProperty({
    nullable: true,
    type: String,
    description:
      'The form of the value at the path: letters as x, digits as 9, its kind and length. Null without a path or a payload.',
  })
  value_masked: string | null;
}

/** What the import of an account has created. */
@ApiSchema({ name: 'CreatedAccount' })
export class CreatedAccountView {
  @ApiProperty()
  platform_account_number: string;

  @ApiProperty({ nullable: true, format: 'date-time', type: String })
  created_at: string | null;

  @ApiProperty({ type: 'integer' })
  customers: number;

  @ApiProperty({ type: 'integer' })
  agreements: number;

  @ApiProperty({ type: 'integer' })
  supply_points: number;

  @ApiProperty({ type: 'integer' })
  ledgers: number;

  @ApiProperty({ type: 'integer' })
  transactions: number;

  @ApiProperty({ type: 'integer' })
  statements: number;

  @ApiProperty({ type: 'integer' })
  notes: number;

  @ApiProperty({ type: 'integer' })
  payment_instructions: number;

  @ApiProperty({ type: 'integer' })
  documents: number;

  @ApiProperty({
    nullable: true,
    format: 'date-time',
    type: String,
    description: 'When its personal data was erased.',
  })
  erased_at: string | null;
}

/** A kind of follow-up of an import, and how far it is. */
@ApiSchema({ name: 'FollowUp' })
export class FollowUpView {
  @ApiProperty({ type: String, enum: ['documents', 'welcome_email'] })
  kind: 'documents' | 'welcome_email';

  @ApiProperty({ type: String, enum: ['waiting', 'done', 'failed'] })
  state: 'waiting' | 'done' | 'failed';

  @ApiProperty({ nullable: true, type: 'integer' })
  attempts: number | null;

  @ApiProperty({ nullable: true, format: 'date-time', type: String })
  updated_at: string | null;

  @ApiProperty({ nullable: true, type: String })
  detail: string | null;
}

/** A request after the import. */
export class AccountRequestSummary {
  @ApiProperty()
  kind: string;

  @ApiProperty({
    type: String,
    enum: ['waiting', 'answered', 'refused', 'failed', 'unanswered'],
    description: '`answered`: it was performed. `refused` and `failed`: it has changed nothing.',
  })
  status: 'waiting' | 'answered' | 'refused' | 'failed' | 'unanswered';

  @ApiProperty({ nullable: true, type: String, description: 'Why it was refused, or has failed.' })
  error_code: string | null;

  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty({ nullable: true, type: String })
  actor: string | null;
}

/** Pages of other tools about a process. */
export class ProcessLinks {
  @ApiProperty({
    nullable: true,
    type: String,
    description: 'Its job in Bull Board, on this host. Null once no job can be there.',
  })
  job: string | null;

  @ApiProperty({
    nullable: true,
    type: String,
    description: 'Its trace, if TRACE_URL_TEMPLATE is set and a trace is known.',
  })
  trace: string | null;
}

/** A correction of an account: where it changes something, and no value. */
@ApiSchema({ name: 'Correction' })
export class CorrectionSummary {
  @ApiProperty({ type: 'integer', description: 'The version of the process that it is.' })
  version: number;

  @ApiProperty({ type: String, enum: [...CORRECTION_STATUSES] })
  status: CorrectionStatus;

  @ApiProperty({ description: 'True for a rehearsal.' })
  is_dry_run: boolean;

  @ApiProperty({ nullable: true, type: String, description: 'Null if it was sent by itself.' })
  submission_id: string | null;

  @ApiProperty({
    type: String,
    isArray: true,
    description: 'Paths of the first 200 changes. Empty if they are not known, or were erased.',
  })
  changed_paths: string[];

  @ApiProperty({ type: 'integer' })
  change_count: number;

  @ApiProperty({ nullable: true, type: String })
  error_code: string | null;

  @ApiProperty({ description: 'Who has sent it.' })
  actor: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ nullable: true, format: 'date-time', type: String })
  ended_at: string | null;
}

/** Everything about an account but its personal data. */
@ApiSchema({ name: 'ProcessDetail' })
export class ProcessDetailView extends ProcessSummaryView {
  @ApiProperty()
  import_supplier: string;

  @ApiProperty({ nullable: true, type: String })
  external_identifier: string | null;

  @ApiProperty({ type: 'integer' })
  attempt: number;

  @ApiProperty()
  is_dry_run: boolean;

  @ApiProperty()
  is_released: boolean;

  @ApiProperty({ nullable: true, format: 'date-time', type: String })
  schedule_window_start: string | null;

  @ApiProperty({ nullable: true, format: 'date-time', type: String })
  schedule_window_end: string | null;

  @ApiProperty({ description: 'False once the payload was erased.' })
  has_payload: boolean;

  @ApiProperty({ type: [TimelineEntryView], description: 'The last 200 events, the oldest first.' })
  timeline: TimelineEntryView[];

  @ApiProperty({ type: [CorrectionSummary], description: 'The last 50 corrections, the newest first.' })
  corrections: CorrectionSummary[];

  @ApiProperty({ nullable: true, type: ProcessFailureView })
  error: ProcessFailureView | null;

  @ApiProperty({
    type: [WarningView],
    description:
      'What is implausible in the account, if it was imported or rehearsed. Quoted values are masked.',
  })
  warnings: WarningView[];

  @ApiProperty({ nullable: true, type: CreatedAccountView })
  created: CreatedAccountView | null;

  @ApiProperty({ type: [FollowUpView] })
  follow_ups: FollowUpView[];

  @ApiProperty({
    type: [AccountRequestSummary],
    description: 'The last 50 requests after the import, the newest first.',
  })
  requests: AccountRequestSummary[];

  @ApiProperty()
  links: ProcessLinks;
}

/** What an action would do. */
@ApiSchema({ name: 'ProcessActionPreview' })
export class ActionPreviewView {
  @ApiProperty({ type: String, enum: ['release', 'cancel', 'retry'] })
  action: 'release' | 'cancel' | 'retry';

  @ApiProperty({ type: 'integer', description: 'Processes in a state that the action can change.' })
  count: number;

  @ApiProperty({
    description: 'True if the action would change more than `count`: at most 10000 are counted.',
  })
  is_capped: boolean;

  @ApiProperty({
    description: 'Names supplier, action and selection. The action refuses a token of another preview.',
  })
  token: string;
}

/** What one call of an action has done. */
@ApiSchema({ name: 'ProcessActionResult' })
export class ActionResultView {
  @ApiProperty({ type: String, enum: ['release', 'cancel', 'retry'] })
  action: 'release' | 'cancel' | 'retry';

  @ApiProperty({ type: 'integer', description: 'Processes that this call has changed.' })
  changed: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Processes that this call has skipped, by reason: a state, or what excludes them.',
  })
  skipped: Record<string, number>;

  @ApiProperty({
    type: 'integer',
    description: 'Changed processes whose job the queue did not accept. A worker adds it within a minute.',
  })
  without_job: number;

  @ApiProperty({
    description: 'True if selected processes were not considered yet. Call again with `next_cursor`.',
  })
  remaining: boolean;

  @ApiProperty({ nullable: true, type: String })
  next_cursor: string | null;
}
