import { type VendorRefusalCode } from '@portage/domain';
import { type Answer, given, objectIn, wordIn } from '../answer-fields';
import { type InstructionClaim, refused, unavailable, type VendorOutcome } from '../payment-vendor';

/** GoCardless takes payments for a mandate from the moment it is set up, before the bank has confirmed it. */
const COLLECTABLE = ['pending_submission', 'submitted', 'active'];

const REFUSED_AS: ReadonlyMap<string, VendorRefusalCode> = new Map([
  ['cancelled', 'instruction_cancelled'],
  ['failed', 'instruction_failed'],
  ['expired', 'instruction_expired'],
]);

/** What a mandate of GoCardless says about a `DIRECT_DEBIT` instruction. A status that is new is not trusted. */
export function outcomeOfMandate(mandate: Answer, claim: InstructionClaim): VendorOutcome {
  const status = wordIn(mandate['status']);
  if (mandate['id'] !== claim.reference || status === undefined) return unavailable('vendor_answer_invalid');
  if (!COLLECTABLE.includes(status)) return refused(REFUSED_AS.get(status) ?? 'instruction_not_active');

  const links = objectIn(mandate['links']);
  return {
    outcome: 'verified',
    instruction: given({
      vendor: 'GOCARDLESS',
      reference: claim.reference,
      type: claim.type,
      customerReference: wordIn(links['customer']),
      details: given({
        scheme: wordIn(mandate['scheme']),
        bankAccountReference: wordIn(links['customer_bank_account']),
        creditorReference: wordIn(links['creditor']),
      }),
    }),
  };
}
