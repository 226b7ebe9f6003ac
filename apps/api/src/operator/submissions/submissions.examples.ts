import { exampleSubmissionSummary } from '../overview/overview.examples';

/** An example of `SubmissionDetail`. */
export const exampleSubmissionDetail = {
  ...exampleSubmissionSummary,
  plan: null,
  counted_at: '2026-11-21T09:41:11.120Z',
  accounts_with_warnings: 412,
  processed_per_second: 184.2,
  estimated_end_at: '2026-11-21T09:42:00.000Z',
  opened_by: 'api-key:pk_1f2e',
  expected: { accounts: 20000 },
};

/** An example of `ReconciledMeasure`. */
const exampleReconciledMeasure = {
  measure: 'accounts',
  expected: 20000,
  received: 20000,
  imported: 20000,
  would_be_imported: 0,
  refused_or_errored: 0,
  erased: 0,
  corrected_since: 0,
  difference: 0,
};

/** An example of `Reconciliation`. */
export const exampleReconciliation = {
  id: '17',
  import_supplier: 'DEMO',
  reference: 'book-2026-11',
  is_dry_run: false,
  reconciled: true,
  counted_at: '2026-11-21T09:31:00.000000+00:00',
  unfinished: 0,
  dry_run_succeeded: 0,
  created: 20000,
  corrected: 0,
  unchanged: 0,
  corrected_since: 0,
  taken_back: 0,
  erased: 0,
  measures: [exampleReconciledMeasure],
};

/** An example of `SubmissionResult`. */
export const exampleSubmissionResult = {
  upload: 1,
  line: 1,
  external_account_number: 'A-100231',
  kind: 'account',
  outcome: 'processed',
  addition: null,
  platform_account_number: 'A-9c41e07b',
  payload_digest: 'sha-256=:rKrl7cMyVyRA6gsLWnF0OcGjXZVnbjPeTw3QSKEUVFE=:',
  duplicate_of: null,
  documents_named: 3,
  documents_missing: 1,
  changes: [],
  change_count: 0,
  errors: [],
  warnings: [],
};

/** An example of `AbortResult`. */
export const exampleAbortResult = {
  cancelled: 9120,
  remaining: false,
  submission: { ...exampleSubmissionDetail, status: 'ABORTED' },
};

/** An example of `RollbackResult`. */
export const exampleRollbackResult = {
  dry_run: false,
  total: 10790,
  considered: 2000,
  rolled_back: 1999,
  left: { has_requests: 1 },
  left_accounts: [
    {
      external_account_number: 'A-100231',
      platform_account_number: 'A-9c41e07b',
      reason: 'has_requests',
    },
  ],
  remaining: true,
  next_cursor: '102230',
};

/** An example of `RefusedLine`. */
export const exampleRefusedLine = {
  submission_id: '17',
  reference: 'book-2026-11',
  upload: 1,
  line: 4711,
  external_account_number: 'A-104711',
  received_at: '2026-11-21T09:30:00.123456Z',
  errors: [
    {
      code: 'invalid_email',
      path: 'customers.0.email',
      value_masked: 'xxxxx@xxxxxx',
      detail: '"xxxxx@xxxxxx" is not an e-mail address.',
    },
  ],
};
