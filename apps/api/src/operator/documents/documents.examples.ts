/** An example of `RetriedDocuments`. */
export const exampleRetriedDocuments = { retried: 12, without_job: 0, remaining: false, next_cursor: null };

/** An example of `UnsettledDocumentSummary`. */
export const exampleUnsettledDocument = {
  id: '8123',
  process_id: '100231',
  external_account_number: 'A-100231',
  platform_account_number: 'A-0001e2f0',
  kind: 'note',
  path_masked: 'xxxxxxx/9999/99.xxx',
  state: 'MISSING',
  error_code: 'document_not_found',
  inspected_at: '2026-11-21T10:30:00.123456Z',
};
