import { mandate, MANDATE } from '../../../test/vendor-responses';
import { outcomeOfMandate } from './mandate';
import type { InstructionClaim } from './payment-vendor';

const claim: InstructionClaim = { reference: MANDATE, type: 'DIRECT_DEBIT' };
const outcome = (changes: object = {}, links: object = {}) =>
  outcomeOfMandate({ ...mandate(changes, links).mandates }, claim);

describe('a mandate of GoCardless', () => {
  it('is stored with its identifiers and scheme only', () => {
    expect(outcome()).toEqual({
      outcome: 'verified',
      instruction: {
        vendor: 'GOCARDLESS',
        reference: MANDATE,
        type: 'DIRECT_DEBIT',
        customerReference: 'CU000123',
        details: { scheme: 'bacs', bankAccountReference: 'BA000123', creditorReference: 'CR000123' },
      },
    });
  });

  it.each(['pending_submission', 'submitted', 'active'])('a mandate with status %s is verified', (status) => {
    expect(outcome({ status })).toMatchObject({ outcome: 'verified' });
  });

  it.each([
    ['cancelled', 'instruction_cancelled'],
    ['failed', 'instruction_failed'],
    ['expired', 'instruction_expired'],
    ['pending_customer_approval', 'instruction_not_active'],
    ['suspended_by_payer', 'instruction_not_active'],
    ['consumed', 'instruction_not_active'],
    ['blocked', 'instruction_not_active'],
    ['a_future_status', 'instruction_not_active'],
    ['constructor', 'instruction_not_active'],
  ])('a mandate with status %s is refused with %s', (status, code) => {
    expect(outcome({ status })).toMatchObject({ outcome: 'refused', code, detail: expect.any(String) });
  });

  it.each([{ id: 'MD0OTHER' }, { id: undefined }, { status: undefined }, { status: 7 }])(
    'a mandate with %j is an invalid vendor response',
    (changes) => {
      expect(outcome(changes)).toMatchObject({ outcome: 'unavailable', code: 'vendor_answer_invalid' });
    },
  );

  it('is verified without a customer', () => {
    expect(outcome({ links: undefined })).toMatchObject({
      outcome: 'verified',
      instruction: { details: { scheme: 'bacs' } },
    });
  });
});
