import type { LocalDate } from '@portage/platform';
import {
  readIdentifier,
  readInteger,
  readObject,
  type VendorResponse,
  withoutUndefined,
} from './response-fields';
import { type InstructionClaim, refused, unavailable, type VendorOutcome } from './payment-vendor';

/**
 * The outcome of a `CARD` instruction from its Stripe payment method. A card is valid until the end of its expiry
 * month.
 *
 * @param today the current day in the time zone of the platform
 */
export function outcomeOfPaymentMethod(
  method: VendorResponse,
  claim: InstructionClaim,
  today: LocalDate,
): VendorOutcome {
  if (method['id'] !== claim.reference || typeof method['type'] !== 'string')
    return unavailable('vendor_answer_invalid');
  if (method['type'] !== 'card') return refused('instruction_wrong_type');

  const card = readObject(method['card']);
  const expiryMonth = readInteger(card['exp_month'], 1, 12);
  const expiryYear = readInteger(card['exp_year'], 1970, 9999);
  if (expiryMonth === undefined || expiryYear === undefined) return unavailable('vendor_answer_invalid');
  if (hasExpired(expiryYear, expiryMonth, today)) return refused('instruction_expired');

  // None has a method that is detached or was never attached. Stripe cannot charge either.
  const owner = method['customer'] ?? method['customer_account'] ?? null;
  if (owner === null) return refused('instruction_detached');
  const customer = readIdentifier(owner);
  if (customer === undefined) return unavailable('vendor_answer_invalid');

  return {
    outcome: 'verified',
    instruction: withoutUndefined({
      vendor: 'STRIPE',
      reference: claim.reference,
      type: claim.type,
      customerReference: customer,
      details: withoutUndefined({
        brand: readIdentifier(card['brand']),
        lastFour: readFourDigits(card['last4']),
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

function readFourDigits(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}$/.test(value) ? value : undefined;
}
