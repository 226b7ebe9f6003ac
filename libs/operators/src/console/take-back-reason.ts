/**
 * Why an operator takes an account back. A choice, because the audit trail is kept after an erasure and has no free text that
 * could name a person.
 */
export const TAKE_BACK_REASONS = [
  'asked_by_supplier',
  'wrong_account',
  'duplicate',
  'test',
  'other',
] as const;
export type TakeBackReason = (typeof TAKE_BACK_REASONS)[number];
