import { CARD, paymentMethod } from '../../../test/vendor-responses';
import { outcomeOfPaymentMethod } from './payment-method';
import type { InstructionClaim } from './payment-vendor';

const claim: InstructionClaim = { reference: CARD, type: 'CARD' };
const TODAY = '2026-11-21';
const outcome = (method: object, today = TODAY) => outcomeOfPaymentMethod({ ...method }, claim, today);
const code = (method: object, today = TODAY) => {
  const result = outcome(method, today);
  return result.outcome === 'verified' ? 'verified' : result.code;
};

describe('a payment method of Stripe', () => {
  it('is stored with its identifiers, brand, last four digits and expiry only', () => {
    expect(outcome(paymentMethod())).toEqual({
      outcome: 'verified',
      instruction: {
        vendor: 'STRIPE',
        reference: CARD,
        type: 'CARD',
        customerReference: 'cus_9s6XKzkNRiz8i3',
        details: { brand: 'visa', lastFour: '4242', expiryMonth: 8, expiryYear: 2049 },
      },
    });
  });

  it.each([
    ['2026-11-01', 'verified'],
    ['2026-11-30', 'verified'],
    ['2026-12-01', 'instruction_expired'],
    ['2027-01-01', 'instruction_expired'],
    ['2025-12-31', 'verified'],
  ])('a card that expires in 11/2026 has on %s the outcome %s', (today, expected) => {
    expect(code(paymentMethod({}, { exp_month: 11, exp_year: 2026 }), today)).toBe(expected);
  });

  it.each([
    ['another type', { type: 'sepa_debit' }, 'instruction_wrong_type'],
    ['no customer', { customer: null }, 'instruction_detached'],
    ['no member for a customer', { customer: undefined }, 'instruction_detached'],
    ['a customer that is a number', { customer: 7 }, 'vendor_answer_invalid'],
    ['another id', { id: 'pm_other' }, 'vendor_answer_invalid'],
    ['no type', { type: undefined }, 'vendor_answer_invalid'],
    ['no card', { card: undefined }, 'vendor_answer_invalid'],
    ['a card that is a string', { card: '4242424242424242' }, 'vendor_answer_invalid'],
  ])('a payment method with %s has its outcome', (_case, changes, expected) => {
    expect(code(paymentMethod(changes))).toBe(expected);
  });

  it.each([
    { exp_month: 13 },
    { exp_month: '8' },
    { exp_month: 0 },
    { exp_year: 2049.5 },
    { exp_year: null },
    { exp_year: 49 },
  ])('a card with the expiry %j is an invalid vendor response', (card) => {
    expect(code(paymentMethod({}, card))).toBe('vendor_answer_invalid');
  });

  it('a payment method of a customer account is verified', () => {
    expect(outcome(paymentMethod({ customer: null, customer_account: 'acct_1' }))).toMatchObject({
      instruction: { customerReference: 'acct_1' },
    });
  });

  it.each(['4242424242424242', '42', 4242, '４２４２', null])(
    'does not store %j as last four digits',
    (last4) => {
      const result = outcome(paymentMethod({}, { last4 }));
      expect(result).toMatchObject({ outcome: 'verified' });
      expect(JSON.stringify(result)).not.toContain('lastFour');
    },
  );

  it.each(['vi\u0000sa', 'x'.repeat(256), '', 7, { name: 'visa' }])('does not store %j as brand', (brand) => {
    const result = outcome(paymentMethod({}, { brand }));
    expect(result).toMatchObject({ outcome: 'verified' });
    expect(JSON.stringify(result)).not.toContain('brand');
  });
});
