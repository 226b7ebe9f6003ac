import { exampleSupplierSummary } from '../overview/overview.examples';
import { exampleQuotas } from '../../suppliers/suppliers.examples';

/** An example of `Supplier`. */
export const exampleSupplier = {
  code: 'DEMO',
  organisation: 'Demo Energy',
  status: 'Ongoing',
  region: 'GB',
  creation_mode: 'direct',
  profile: 'core',
  document_root: 'demo',
  currency: 'GBP',
  time_zone: 'Europe/London',
  verify_documents: false,
  reject_undocumented_fields: false,
  send_migration_emails: false,
  retain_payload_days: null,
  v1_error_format: 'standard',
  max_processing_accounts: null,
  corrections: true,
  reimport_after_erasure: false,
  rule_settings: {},
  created_at: '2026-11-20T08:00:00.000000Z',
  modified_at: '2026-11-21T09:30:00.000000Z',
};

/** An example of `Funnel`. */
const exampleFunnel = {
  refused_lines: 4,
  received: 19987,
  valid: 19974,
  dry_run_succeeded: 0,
  created: 10790,
  followed_up: 10702,
  errored: 13,
  cancelled: 0,
};

/** An example of `TopError`. */
const exampleTopError = {
  code: 'import_process_failed_validation',
  count: 13,
  refused_lines: 0,
  share: 0.7647,
  example: { process_id: '100231', external_account_number: 'A-100231' },
};

/** An example of `SupplierDetail`. */
export const exampleSupplierDetail = {
  settings: exampleSupplier,
  summary: exampleSupplierSummary,
  funnel: exampleFunnel,
  quotas: exampleQuotas,
  top_errors: [exampleTopError],
  latency_ms: 812.4,
};
