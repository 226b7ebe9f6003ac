import { mandate, MANDATE } from '../../test/vendor-answers';
import { outcomeOfMandate } from './mandate';

const claim = { reference: MANDATE, type: 'DIRECT_DEBIT' };
const outcome = (changes: object = {}, links: object = {}) =>
  outcomeOfMandate({ ...mandate(changes, links).mandates }, claim);

describe('a mandate of GoCardless', () => {
  it('is kept by its identifiers and scheme, and by nothing else', () => {
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

  it.each(['pending_submission', 'submitted', 'active'])('that is %s can be collected by', (status) => {
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
    ['a_status_of_next_year', 'instruction_not_active'],
    ['constructor', 'instruction_not_active'],
  ])('that is %s is refused: %s', (status, code) => {
    expect(outcome({ status })).toMatchObject({ outcome: 'refused', code, detail: expect.any(String) });
  });

  it.each([{ id: 'MD0OTHER' }, { id: undefined }, { status: undefined }, { status: 7 }])(
    'with %j makes no sense',
    (changes) => {
      expect(outcome(changes)).toMatchObject({ outcome: 'unavailable', code: 'vendor_answer_invalid' });
    },
  );

  it('may name no customer', () => {
    expect(outcome({ links: undefined })).toMatchObject({
      outcome: 'verified',
      instruction: { details: { scheme: 'bacs' } },
    });
  });
});
