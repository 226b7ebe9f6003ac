import { type LocalDate } from '@portage/domain';
import { type Answer, given, objectIn, wholeNumberIn, wordIn } from '../answer-fields';
import { type InstructionClaim, refused, unavailable, type VendorOutcome } from '../payment-vendor';

/**
 * What Stripe's payment method says about a `CARD` instruction. `today` is the platform's day: a card is good to the
 * end of the month that is printed on it.
 */
export function outcomeOfPaymentMethod(
  method: Answer,
  claim: InstructionClaim,
  today: LocalDate,
): VendorOutcome {
  if (method['id'] !== claim.reference || typeof method['type'] !== 'string')
    return unavailable('vendor_answer_invalid');
  if (method['type'] !== 'card') return refused('instruction_wrong_type');

  const card = objectIn(method['card']);
  const expiryMonth = wholeNumberIn(card['exp_month'], 1, 12);
  const expiryYear = wholeNumberIn(card['exp_year'], 1970, 9999);
  if (expiryMonth === undefined || expiryYear === undefined) return unavailable('vendor_answer_invalid');
  if (hasExpired(expiryYear, expiryMonth, today)) return refused('instruction_expired');

  // Null once the method was detached, and where it was never attached: Stripe lets neither be charged.
  const customer = wordIn(method['customer']) ?? wordIn(method['customer_account']);
  if (method['customer'] === null && !customer) return refused('instruction_detached');

  return {
    outcome: 'verified',
    instruction: given({
      vendor: 'STRIPE',
      reference: claim.reference,
      type: claim.type,
      customerReference: customer,
      details: given({
        brand: wordIn(card['brand']),
        lastFour: fourDigitsIn(card['last4']),
        expiryMonth,
        expiryYear,
      }),
    }),
  };
}

function hasExpired(year: number, month: number, today: LocalDate): boolean {
  const [thisYear = 0, thisMonth = 0] = today.split('-').map(Number);
  return year < thisYear || (year === thisYear && month < thisMonth);
}

function fourDigitsIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}$/.test(value) ? value : undefined;
}
