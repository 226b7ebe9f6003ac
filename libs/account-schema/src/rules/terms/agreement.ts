import type { AnyAgreement } from '../../contract/agreements';

/** True if the agreement is in force on `day`. Its end is exclusive. */
export function isInForceOn(agreement: AnyAgreement, day: string): boolean {
  return agreement.effective_from <= day && isInForceAfter(agreement, day);
}

/** True if the agreement is in force on `day` or on a later day. */
export function isInForceAfter({ effective_to: end }: AnyAgreement, day: string): boolean {
  return !end || end > day;
}
