import { type AnyAgreement } from '../../supply/agreement';

/** Whether an agreement is in force on a day; its end is exclusive. */
export function isInForceOn(agreement: AnyAgreement, day: string): boolean {
  return agreement.effective_from <= day && isInForceAfter(agreement, day);
}

/** Whether it is in force on a day or on any later one. */
export function isInForceAfter({ effective_to: end }: AnyAgreement, day: string): boolean {
  return !end || end > day;
}
