/** An example of `PaymentInstructionRequestSummary`. */
export const exampleInstructionRequest = {
  id: '512',
  process_id: '100231',
  external_account_number: 'A-100231',
  platform_account_number: 'A-0001e2f0',
  outcome: 'refused',
  error_code: 'instruction_not_found',
  received_at: '2026-11-21T09:30:00.123456Z',
  finished_at: '2026-11-21T09:30:00.812345Z',
};
