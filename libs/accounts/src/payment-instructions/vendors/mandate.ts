import type { VendorRefusalCode } from '@portage/platform';
import { readIdentifier, readObject, type VendorResponse, withoutUndefined } from './response-fields';
import { type InstructionClaim, refused, unavailable, type VendorOutcome } from './payment-vendor';

/** GoCardless accepts payments for a new mandate before the bank has confirmed it. */
const COLLECTABLE = ['pending_submission', 'submitted', 'active'];

const REFUSAL_BY_STATUS: ReadonlyMap<string, VendorRefusalCode> = new Map([
  ['cancelled', 'instruction_cancelled'],
  ['failed', 'instruction_failed'],
  ['expired', 'instruction_expired'],
]);

/** The outcome of a `DIRECT_DEBIT` instruction from its GoCardless mandate. An unknown status is refused. */
export function outcomeOfMandate(mandate: VendorResponse, claim: InstructionClaim): VendorOutcome {
  const status = readIdentifier(mandate['status']);
  if (mandate['id'] !== claim.reference || status === undefined) return unavailable('vendor_answer_invalid');
  if (!COLLECTABLE.includes(status))
    return refused(REFUSAL_BY_STATUS.get(status) ?? 'instruction_not_active');

  const links = readObject(mandate['links']);
  return {
    outcome: 'verified',
    instruction: withoutUndefined({
      vendor: 'GOCARDLESS',
      reference: claim.reference,
      type: claim.type,
      customerReference: readIdentifier(links['customer']),
      details: withoutUndefined({
        scheme: readIdentifier(mandate['scheme']),
        bankAccountReference: readIdentifier(links['customer_bank_account']),
        creditorReference: readIdentifier(links['creditor']),
      }),
    }),
  };
}
