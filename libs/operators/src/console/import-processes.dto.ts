import {
  type CorrectionStatus,
  type ImportProcessEvent,
  type ImportProcessStatus,
  WarningView,
} from '@portage/imports';

/** A process in a list. */
export interface ProcessSummaryView {
  id: string;
  external_account_number: string;
  status: ImportProcessStatus;
  error_code: string | null;
  /** The platform's number of the created account. */
  platform_account_number: string | null;
  submission_id: string | null;
  version: number;
  /** When the account was received for the first time. */
  received_at: string;
  updated_at: string;
}

/** One event of the history of a process. */
export interface TimelineEntryView {
  event: ImportProcessEvent;
  version: number;
  attempt: number;
  at: string;
  /** Who caused it: `api-key:<prefix>` or `operator:<name>`; null for workers. */
  actor: string | null;
  /** Time since the entry before; null for the first one. */
  duration_ms: number | null;
  error_code: string | null;
}

/** A field that an error is about. */
export interface FailedFieldView {
  /** Dotted path in the payload. */
  path: string;
  code: string;
  /** The form of the value: letters as x, digits as 9, its kind and length. Null without a payload. */
  value_masked: string | null;
}

/** Why a process ended with an error. */
export interface ProcessFailureView {
  code: string;
  /** The sentence, which may quote the account. Null for a role that may not read payloads. */
  detail: string | null;
  /** At most 20. Empty if the error is about the account as a whole. */
  fields: FailedFieldView[];
}

/** What is implausible in an account. */
export interface ProcessWarningView extends Omit<WarningView, 'detail'> {
  /** As that of an error. */
  detail: string | null;
}

/** What the import of an account has created. */
export interface CreatedAccountView {
  platform_account_number: string;
  created_at: string | null;
  customers: number;
  agreements: number;
  supply_points: number;
  ledgers: number;
  transactions: number;
  statements: number;
  notes: number;
  payment_instructions: number;
  documents: number;
  /** When its personal data was erased. */
  erased_at: string | null;
}

/** A kind of follow-up of an import, and how far it is. */
export interface FollowUpView {
  kind: 'documents' | 'welcome_email';
  state: 'waiting' | 'done' | 'failed';
  updated_at: string | null;
  detail: string | null;
}

/** A request after the import. */
export interface AccountRequestSummary {
  id: string;
  kind: string;
  /** `answered`: it was performed. `refused` and `failed`: it has changed nothing. */
  status: 'waiting' | 'answered' | 'refused' | 'failed' | 'unanswered';
  /** Why it was refused, or has failed. */
  error_code: string | null;
  at: string;
  actor: string | null;
}

/** Where other tools have a process. */
export interface ProcessLinks {
  /** The id of its job in the queue `account-imports`. Null once no job can be there. */
  job: string | null;
  /** Its trace, if TRACE_URL_TEMPLATE is set and a trace is known. */
  trace: string | null;
}

/** A correction of an account: where it changes something, and no value. */
export interface CorrectionSummary {
  /** The version of the process that it is. */
  version: number;
  status: CorrectionStatus;
  /** True for a rehearsal. */
  is_dry_run: boolean;
  /** Null if it was sent by itself. */
  submission_id: string | null;
  /** Paths of the first 200 changes. Empty if they are not known, or were erased. */
  changed_paths: string[];
  change_count: number;
  error_code: string | null;
  /** Who has sent it. */
  actor: string;
  created_at: string;
  ended_at: string | null;
}

/** Everything about an account but its personal data. */
export interface ProcessDetailView extends ProcessSummaryView {
  import_supplier: string;
  external_identifier: string | null;
  attempt: number;
  is_dry_run: boolean;
  is_released: boolean;
  schedule_window_start: string | null;
  schedule_window_end: string | null;
  /** False once the payload was erased. */
  has_payload: boolean;
  /** The last 200 events, the oldest first. */
  timeline: TimelineEntryView[];
  /** The last 50 corrections, the newest first. */
  corrections: CorrectionSummary[];
  error: ProcessFailureView | null;
  /** Of an account that was imported or rehearsed. */
  warnings: ProcessWarningView[];
  created: CreatedAccountView | null;
  follow_ups: FollowUpView[];
  /** The last 50 requests after the import, the newest first. */
  requests: AccountRequestSummary[];
  links: ProcessLinks;
}

/** What an action would do. */
export interface ActionPreviewView {
  action: 'release' | 'cancel' | 'retry';
  /** Processes in a state that the action can change. */
  count: number;
  /** True if the action would change more than `count`: at most 10000 are counted. */
  is_capped: boolean;
  /** Names supplier, action and selection. The action refuses a token of another preview. */
  token: string;
}

/** What one call of an action has done. */
export interface ActionResultView {
  action: 'release' | 'cancel' | 'retry';
  /** Processes that this call has changed. */
  changed: number;
  /** Processes that this call has skipped, by reason: a state, or what excludes them. */
  skipped: Record<string, number>;
  /** Changed processes whose job the queue did not accept. A worker adds it within a minute. */
  without_job: number;
  /** True if selected processes were not considered yet. Call again with `next_cursor`. */
  remaining: boolean;
  next_cursor: string | null;
}
