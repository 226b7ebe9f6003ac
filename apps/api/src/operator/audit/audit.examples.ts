/** An example of `AuditEntry`. */
export const exampleAuditEntry = {
  occurred_at: '2026-11-21T09:40:12.120331Z',
  actor: 'operator:ada',
  action: 'process.retry',
  import_supplier: 'DEMO',
  subject: null,
  details: { error_code: 'error', steered: 13 },
};
