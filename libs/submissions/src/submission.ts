/** What the lines of a submission have: accounts, or what is added to imported accounts. */
export const SUBMISSION_KINDS = ['accounts', 'additions'] as const;
export type SubmissionKind = (typeof SUBMISSION_KINDS)[number];

/**
 * What a submission does with its accounts. `create` refuses those that exist with other content, `correct` those that do not
 * exist.
 */
export const SUBMISSION_MODES = ['create', 'correct', 'create-or-correct'] as const;
export type SubmissionMode = (typeof SUBMISSION_MODES)[number];

/** The states of a submission that are stored. */
export const STORED_SUBMISSION_STATUSES = ['OPEN', 'RECEIVED', 'ABORTED'] as const;
export type StoredSubmissionStatus = (typeof STORED_SUBMISSION_STATUSES)[number];

/** The states of a submission. Those after RECEIVED are what {@link statusOf} makes of it by its accounts. */
export const SUBMISSION_STATUSES = ['OPEN', 'RECEIVED', 'AWAITING_RELEASE', 'FINISHED', 'ABORTED'] as const;
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number];

/** What the accounts of a submission are waiting for. */
export interface AccountsState {
  /** True if one of them is queued or running. */
  isActive: boolean;
  /** True if one of them was staged and waits for its release. A rehearsal has none. */
  awaitsRelease: boolean;
}

/** The state of a submission, by what is stored and by its accounts. */
export function statusOf(
  status: StoredSubmissionStatus,
  { isActive, awaitsRelease }: AccountsState,
): SubmissionStatus {
  if (status !== 'RECEIVED' || isActive) return status;
  return awaitsRelease ? 'AWAITING_RELEASE' : 'FINISHED';
}

/** Why a line of an upload is refused, besides the errors of its account. */
export const LINE_ERROR_CODES = {
  line_too_long: {
    explanation: 'The line is longer than one account may be.',
    fix: 'Send the account with less history, and the rest after its import.',
  },
  line_not_json: {
    explanation: 'The line is not one JSON object in UTF-8.',
    fix: 'Send one account or one addition a line, as JSON without line breaks.',
  },
  line_ambiguous: {
    explanation: 'An object of the line has a key twice, or a number that cannot be read exactly.',
    fix: 'Send each key once, and numbers with at most 15 digits or as text.',
  },
  addition_unknown: {
    explanation: 'The line of additions does not have exactly one kind of addition.',
    fix: 'Send one of notes, transactions, historical_statements and payment_instruction in each line, with the body of its endpoint.',
  },
  task_params_in_line: {
    explanation: 'The line has task_params, which belong to the submission.',
    fix: 'Send task_params when the submission is opened, and bare accounts in its lines.',
  },
  misplaced_parameter: {
    explanation: 'The line has a parameter of the import, such as is_dry_run, which has no effect in a line.',
    fix: 'Send it in task_params when the submission is opened.',
  },
  account_already_received: {
    explanation: 'The account was received before with other content and is queued.',
    fix: 'Leave it if its content is the same. To import other content, cancel the account while it is PENDING and send the line again: an imported account is not replaced.',
  },
  account_rolled_back: {
    explanation: 'The account was imported, and the operator has rolled its submission back.',
    fix: 'Send the account again if the platform is to have it.',
  },
  import_cancelled: {
    explanation: 'The import was cancelled before it began, by a cancel, an abort or the operator.',
    fix: 'Send the account again if the platform is to have it.',
  },
  schedule_window_missed: {
    explanation: 'The import had not begun when its schedule window ended.',
    fix: 'Send the account again with another window, or without one.',
  },
  account_taken_over: {
    explanation: 'Another submission has sent the account since.',
    fix: 'Nothing is to be done. The outcome is shown in the other submission.',
  },
} as const satisfies Record<string, { explanation: string; fix: string }>;
export type LineErrorCode = keyof typeof LINE_ERROR_CODES;
