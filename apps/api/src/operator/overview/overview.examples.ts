/** An example of `StateCounts`. */
const exampleStateCounts = {
  PENDING: 9120,
  IN_PROGRESS: 64,
  DRY_RUN_SUCCEEDED: 0,
  DRY_RUN_ERRORED: 0,
  CANCELLED: 0,
  PROCESSED: 10790,
  ERRORED: 13,
  STAGED: 0,
};

/** An example of `SupplierSummary`. */
export const exampleSupplierSummary = {
  code: 'DEMO',
  organisation: 'Demo Energy',
  status: 'Ongoing',
  states: exampleStateCounts,
  processed_per_second: 184.2,
  processed_per_second_of_minute: 179.8,
  sparkline: Array.from({ length: 60 }, (_, minute) => (minute < 59 ? 0 : 10790)),
  oldest_waiting_at: '2026-11-21T09:30:00.123456Z',
  errored: 13,
  estimated_end_at: '2026-11-21T09:42:00.000Z',
  counted_at: '2026-11-21T09:41:02.001233Z',
};

/** An example of `SubmissionCounts`. */
const exampleSubmissionCounts = {
  received: 20000,
  refused: 13,
  repeated: 64,
  unchanged: 0,
  correcting: 0,
  corrected: 0,
  would_correct: 0,
  correction_errored: 0,
  pending: 9120,
  in_progress: 64,
  processed: 10790,
  errored: 13,
  dry_run_succeeded: 0,
  dry_run_errored: 0,
  cancelled: 0,
};

/** An example of `SubmissionSummary`. */
export const exampleSubmissionSummary = {
  id: '17',
  import_supplier: 'DEMO',
  reference: 'book-2026-11',
  kind: 'accounts',
  mode: 'create',
  status: 'RECEIVED',
  created_at: '2026-11-21T09:30:00.123456Z',
  completed_at: '2026-11-21T09:41:10.000512Z',
  finished_at: null,
  is_dry_run: false,
  counts: exampleSubmissionCounts,
  reconciled: null,
};

/** An example of `VendorBreaker`. */
const exampleVendorBreaker = { name: 'STRIPE', breaker: 'closed', since: null };

/** An example of `Health`. */
export const exampleHealth = {
  database: { status: 'ok', detail: null, checked_at: '2026-11-21T09:41:11.120Z' },
  queues: { status: 'ok', detail: null, checked_at: '2026-11-21T09:41:11.120Z' },
  document_store: { status: 'ok', detail: null, checked_at: '2026-11-21T09:41:03.504Z' },
  vendors: [
    exampleVendorBreaker,
    { ...exampleVendorBreaker, name: 'GOCARDLESS', breaker: 'open', since: '2026-11-21T09:40:12.000Z' },
  ],
  workers: {
    alive: 1,
    seen: [{ id: '5b1f2c1e-6c5a-4c6f-9a35-1c2f2c5f4b11', last_seen_at: '2026-11-21T09:41:05.120Z' }],
  },
};

/** An example of `Overview`. */
export const exampleOverview = {
  generated_at: '2026-11-21T09:41:11.120Z',
  suppliers: [exampleSupplierSummary],
  submissions_in_progress: [exampleSubmissionSummary],
  health: exampleHealth,
};

/** An example of `ActionItem`. */
export const exampleActionItem = {
  kind: 'accounts_awaiting_release',
  import_supplier: 'DEMO',
  subject: null,
  count: 550,
  is_capped: false,
  since: '2026-11-21T09:30:00.123456Z',
  link: '/console/suppliers/DEMO/processes?status=DRY_RUN_SUCCEEDED',
};
