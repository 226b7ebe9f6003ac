import { CARD, paymentMethod } from '../../test/vendor-answers';
import { outcomeOfPaymentMethod } from './payment-method';

const claim = { reference: CARD, type: 'CARD' };
const TODAY = '2026-11-21';
const outcome = (method: object, today = TODAY) => outcomeOfPaymentMethod({ ...method }, claim, today);
const code = (method: object, today = TODAY) => {
  const told = outcome(method, today);
  return told.outcome === 'verified' ? 'verified' : told.code;
};

describe('a payment method of Stripe', () => {
  it('is kept by its identifiers, brand, last four digits and expiry, and by nothing else', () => {
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
  ])('of 11/2026 is on %s: %s', (today, expected) => {
    expect(code(paymentMethod({}, { exp_month: 11, exp_year: 2026 }), today)).toBe(expected);
  });

  it.each([
    ['another type', { type: 'sepa_debit' }, 'instruction_wrong_type'],
    ['no customer', { customer: null }, 'instruction_detached'],
    ['another id', { id: 'pm_other' }, 'vendor_answer_invalid'],
    ['no type', { type: undefined }, 'vendor_answer_invalid'],
    ['no card', { card: undefined }, 'vendor_answer_invalid'],
    ['a card that is a text', { card: '4242424242424242' }, 'vendor_answer_invalid'],
  ])('with %s', (_what, changes, expected) => {
    expect(code(paymentMethod(changes))).toBe(expected);
  });

  it.each([
    { exp_month: 13 },
    { exp_month: '8' },
    { exp_month: 0 },
    { exp_year: 2049.5 },
    { exp_year: null },
    { exp_year: 49 },
  ])('whose expiry is %j makes no sense', (card) => {
    expect(code(paymentMethod({}, card))).toBe('vendor_answer_invalid');
  });

  it('of a customer account belongs to somebody too', () => {
    expect(outcome(paymentMethod({ customer: null, customer_account: 'acct_1' }))).toMatchObject({
      instruction: { customerReference: 'acct_1' },
    });
  });

  it.each(['4242424242424242', '42', 4242, '４２４２', null])(
    'never brings %j along as last four digits',
    (last4) => {
      const told = outcome(paymentMethod({}, { last4 }));
      expect(told).toMatchObject({ outcome: 'verified' });
      expect(JSON.stringify(told)).not.toContain('lastFour');
    },
  );

  it.each(['vi\u0000sa', 'x'.repeat(256), '', 7, { name: 'visa' }])(
    'never brings %j along as brand',
    (brand) => {
      const told = outcome(paymentMethod({}, { brand }));
      expect(told).toMatchObject({ outcome: 'verified' });
      expect(JSON.stringify(told)).not.toContain('brand');
    },
  );
});
