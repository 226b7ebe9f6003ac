import { DEFAULT_WEBHOOK_TYPES } from '@portage/events';
import { EXAMPLE_CURSOR } from '../events/events.examples';

/** An endpoint. */
export const exampleEndpoint = {
  id: '3',
  import_supplier: 'DEMO',
  url: 'https://hooks.example.com/portage',
  types: [...DEFAULT_WEBHOOK_TYPES],
  description: 'Billing',
  status: 'ENABLED',
  verified_at: '2026-11-22T09:31:10.000000+00:00',
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  next_attempt_at: null,
  cursor: EXAMPLE_CURSOR,
  previous_secret_until: null,
  created_at: '2026-11-22T09:30:00.123456+00:00',
};

/** An endpoint with its secret. */
export const exampleWithSecret = {
  ...exampleEndpoint,
  status: 'UNVERIFIED',
  verified_at: null,
  secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD+1rZVdyVY8A=',
};

/** An endpoint that was disabled. */
export const exampleDisabled = {
  ...exampleEndpoint,
  status: 'DISABLED',
  disabled_reason: 'manual',
  disabled_at: '2026-11-22T10:00:00.000000+00:00',
};

/** An attempt. */
export const exampleAttempt = {
  id: '71',
  event_id: 'evt_1042_1_1_errored',
  type: 'data_import.import_process.error-v1',
  attempt: 1,
  status: 500,
  error: 'http_status',
  duration_ms: 84,
  occurred_at: '2026-11-22T10:02:11.120000+00:00',
};

/** The result of a test. */
export const exampleTest = {
  event_id: 'test_5b1f2c1e-6c5a-4c6f-9a35-1c2f2c5f4b11',
  delivered: true,
  status: 204,
  error: null,
  duration_ms: 84,
};

/** The result of a challenge. */
export const exampleVerification = {
  event_id: 'challenge_0c6f3ad4-35ad-4ad9-8cf1-9d1dcb4f2c3e',
  verified: true,
  status: 200,
  error: null,
  duration_ms: 84,
};
