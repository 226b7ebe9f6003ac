/** An example of `ProcessSummary`. */
export const exampleProcessSummary = {
  id: '100231',
  external_account_number: 'A-100231',
  status: 'ERRORED',
  error_code: 'import_process_failed_validation',
  platform_account_number: null,
  submission_id: '17',
  version: 1,
  received_at: '2026-11-21T09:30:00.123456Z',
  updated_at: '2026-11-21T09:30:00.935871Z',
};

/** An example of `TimelineEntry`. */
const exampleTimelineEntry = {
  event: 'SCHEDULED',
  version: 1,
  attempt: 0,
  at: '2026-11-21T09:30:00.123456Z',
  actor: 'api-key:pk_1f2e',
  duration_ms: null,
  error_code: null,
};

/** An example of `ProcessError`. */
const exampleProcessError = {
  code: 'import_process_failed_validation',
  detail: 'customers.0.email: Not an e-mail address.',
  path: 'customers.0.email',
  value_masked: 'xxxxx.xxxxxx (text, 12 characters)',
};

/** An example of `ProcessDetail`. */
export const exampleProcessDetail = {
  ...exampleProcessSummary,
  import_supplier: 'DEMO',
  external_identifier: 'A-100231',
  attempt: 1,
  is_dry_run: false,
  is_released: false,
  schedule_window_start: null,
  schedule_window_end: null,
  has_payload: true,
  corrections: [],
  timeline: [
    exampleTimelineEntry,
    {
      event: 'ERRORED',
      version: 1,
      attempt: 1,
      at: '2026-11-21T09:30:00.935871Z',
      actor: null,
      duration_ms: 812.415,
      error_code: 'import_process_failed_validation',
    },
  ],
  error: exampleProcessError,
  warnings: [],
  created: null,
  follow_ups: [],
  requests: [],
  links: { job: '/queues/queue/account-imports/100231-1', trace: null },
};

/** An example of `ProcessActionPreview`. */
export const exampleProcessActionPreview = {
  action: 'retry',
  count: 13,
  is_capped: false,
  token: 'kqVbJm2m1mJwq0o2gGc5Tg',
};

/** An example of `ProcessActionResult`. */
export const exampleProcessActionResult = {
  action: 'retry',
  changed: 13,
  skipped: {},
  without_job: 0,
  remaining: false,
  next_cursor: null,
};
