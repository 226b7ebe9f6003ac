import { transactionDifferences } from './transaction-differences';

const stored = {
  transaction_id: 'T-1',
  type: 'SUPPLY_CHARGE',
  amount: '12.50',
  transaction_date: '2026-01-15',
  reason: null,
  line_items: [{ start_date: '2026-01-01', net_amount: '10', units: ['1', '2.0'], params: { a: 1 } }],
};

it('compares the texts of other fields character by character', () => {
  expect(transactionDifferences({ note: 'Version 1.0' }, { note: 'Version 1' })).toEqual(['note']);
});

it('compares numbers', () => {
  expect(transactionDifferences({ rate: 12 }, { rate: 12 })).toEqual([]);
  expect(transactionDifferences({ rate: 12 }, { rate: 120 })).toEqual(['rate']);
});

describe('the differences between a submitted and a stored transaction', () => {
  it.each([
    ['the same transaction', {}],
    [
      'another spelling of decimals',
      { amount: '12.5', line_items: [{ ...stored.line_items[0], net_amount: '10.00' }] },
    ],
    [
      'members in another order',
      { line_items: [Object.fromEntries(Object.entries(stored.line_items[0]!).reverse())] },
    ],
    ['an empty list instead of none', { tax_items: [] }],
    ['an absent field instead of null', { reason: undefined }],
    ['an absent member instead of null', { line_items: [{ ...stored.line_items[0], rate: null }] }],
  ])('are none for %s', (_what, change) => {
    expect(transactionDifferences({ ...stored, ...change }, stored)).toEqual([]);
  });

  it.each([
    [['amount'], { amount: '12.51' }],
    [['transaction_date', 'note'], { transaction_date: '2026-01-16', note: 'new' }],
    [['reason'], { reason: 'IMPORTED_CHARGE' }],
    [['line_items'], { line_items: [{ ...stored.line_items[0], units: ['1', '3'] }] }],
    [['line_items'], { line_items: [] }],
    [['line_items'], { line_items: [stored.line_items[0], { net_amount: '10' }] }],
    [['line_items'], { line_items: [{ ...stored.line_items[0], rate: '1' }] }],
    [['type'], { type: 'CREDIT' }],
    [['transaction_id'], { transaction_id: 'T-1.0' }],
  ])('are %j', (names, change) => {
    expect(transactionDifferences({ ...stored, ...change }, stored)).toEqual(names);
  });
});
