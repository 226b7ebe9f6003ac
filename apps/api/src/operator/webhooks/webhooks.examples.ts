/** An example of `WebhookEndpoint`. */
export const exampleWebhookEndpoint = {
  id: '3',
  import_supplier: 'DEMO',
  url: 'https://hooks.example.com/portage',
  types: [
    'data_import.import_process.error-v1',
    'data_import.import_process.dry_run_error-v1',
    'data_import.import_process.post_import.error-v1',
    'data_import.submission.finished-v1',
    'data_import.submission.aborted-v1',
  ],
  description: 'Billing',
  status: 'ENABLED',
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  next_attempt_at: null,
  cursor: 'AQAAAAAAAAPoAAAAAAAAAAAAAAAAAAAAAAA',
  previous_secret_until: null,
  created_at: '2026-11-22T09:30:00.123456+00:00',
};

/** An example of `WebhookEndpointWithSecret`. */
export const exampleWebhookEndpointWithSecret = { ...exampleWebhookEndpoint, secret: 'whsec_c2VjcmV0' };

/** An example of `WebhookAttempt`. */
export const exampleWebhookAttempt = {
  id: '71',
  event_id: 'evt_1042_1_1_errored',
  type: 'data_import.import_process.error-v1',
  attempt: 1,
  status: 500,
  error: 'http_status',
  duration_ms: 84,
  occurred_at: '2026-11-22T10:02:11.120000+00:00',
};

/** An example of `WebhookTest`. */
export const exampleWebhookTest = {
  event_id: 'test_5b1f2c1e-6c5a-4c6f-9a35-1c2f2c5f4b11',
  delivered: true,
  status: 204,
  error: null,
  duration_ms: 84,
};
